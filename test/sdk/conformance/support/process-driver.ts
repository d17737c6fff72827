// An SDK in a process of its own, which takes commands and tells what happened in lines of JSON:
// `sdk/conformance/README.md`.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Driver, Report, Sdk } from './driver.ts';
import type { JsonObject } from './script.ts';

interface ProcessSdk {
  readonly name: string;
  readonly can: readonly string[];
  readonly program: readonly [path: string, ...words: string[]];
  readonly environment?: Readonly<Record<string, string>>;
}

/** All scripts run on one process; `stop` ends it. */
export function sdkInProcess({ name, can, program, environment }: ProcessSdk): {
  readonly sdk: Sdk;
  stop(): Promise<void>;
} {
  const [path, ...words] = program;
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(path, words, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const tell = async (command: JsonObject): Promise<unknown> => {
    child.stdin.write(`${JSON.stringify(command)}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error(`${name} ended at ${JSON.stringify(command)}`);
    return JSON.parse(value);
  };
  const report = async (command: JsonObject): Promise<Report> => {
    const { requests, ends, heard } = (await tell(command)) as Report;
    return { requests, ends, heard };
  };
  const driver: Driver = {
    open: () => report({ do: 'open' }),
    call: (as, call, named) => report({ do: 'call', as, name: call, with: named }),
    answer: (id, answer) => report({ do: 'answer', id, ...answer }),
    pass: (ms) => report({ do: 'pass', ms }),
    device: (change) => report({ do: 'device', change }),
    state: async () => ((await tell({ do: 'state' })) as { state: JsonObject }).state,
    end: async () => undefined,
  };
  const start: Sdk['start'] = async ({ startMs, appId }) => {
    await report({ do: 'start', startMs, appId });
    return driver;
  };
  const stop = async () => {
    child.stdin.end();
    await ended;
  };
  return { sdk: { name, can: new Set(can), start }, stop };
}
