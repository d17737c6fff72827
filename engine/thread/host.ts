// Runs a thread's work in a worker or inline. Both use a port, so hosted code is the same.

import { MessageChannel, type TransferListItem, Worker } from 'node:worker_threads';
import { inlinePorts, type Port } from './link.ts';

export interface Host {
  readonly port: Port;
  /** Resolves when it accepts messages; rejects with the reason if it cannot. */
  readonly ready: Promise<void>;
  /** Ends it. Only after `ready`: ending a thread that opens LMDB aborts the process. */
  close(): Promise<void>;
}

/** `port` is the module's end of the link. */
export interface HostedStart<Data> {
  readonly port: Port;
  readonly data: Data;
  /** Ports to other threads, in the host's order. */
  readonly ports: readonly Port[];
}

/** A start that no retry can fix; its message is one sentence for the operator. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
}

/** A hosted module: once ready, it returns how to end it. */
type Hosted<Data> = (start: HostedStart<Data>) => Promise<() => Promise<void>>;

interface ThreadHostOptions<Data> {
  readonly name: string;
  /** URL of a module exporting `start(workerData)`. */
  readonly entry: URL;
  readonly data: Data;
  readonly ports: readonly (Port & TransferListItem)[];
  /** The thread ended unasked. */
  onExit(reason: string): void;
  /** The module threw `CannotStart`. The thread idles: only the process may end it. */
  onCannotStart?(sentence: string): void;
}

export function threadHost<Data>(options: ThreadHostOptions<Data>): Host {
  const { port1, port2 } = new MessageChannel();
  const worker = new Worker(new URL('./boot.mjs', import.meta.url), {
    name: options.name,
    workerData: {
      entry: options.entry.href,
      data: options.data,
      port: port2,
      ports: options.ports,
    },
    transferList: [port2, ...options.ports],
  });
  let closing = false;
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const ready = new Promise<void>((resolve, reject) => {
    worker.on('message', (value: { kind?: string; sentence?: string }) => {
      if (value.kind === 'ready') resolve();
      if (value.kind === 'cannot_start') options.onCannotStart?.(value.sentence ?? '');
    });
    worker.once('error', (error) => {
      reject(error);
      options.onExit(error instanceof Error ? (error.stack ?? error.message) : String(error));
    });
    worker.once('exit', (code) => {
      reject(new Error(`${options.name} ended with code ${code} before it was ready`));
      if (!closing) options.onExit(`exit code ${code}`);
    });
  });
  return {
    port: port1,
    ready,
    async close() {
      closing = true;
      worker.postMessage({ kind: 'close' });
      await exited;
    },
  };
}

/** Runs a module here. Frames cross through `defer`, so a simulator can order them. */
export function inlineHost<Data>(
  hosted: Hosted<Data>,
  data: Data,
  ports: readonly Port[],
  defer: (deliver: () => void) => void = setImmediate,
): Host {
  const [outside, inside] = inlinePorts(defer);
  const started = hosted({ port: inside, data, ports });
  return {
    port: outside,
    ready: started.then(() => undefined),
    async close() {
      await (await started)();
    },
  };
}

/** A worker's `start`: runs the module, says `ready` or that it cannot, ends on request. */
export async function serveThread<Data>(
  hosted: Hosted<Data>,
  start: HostedStart<Data>,
  parent: Port | null,
): Promise<void> {
  let close: () => Promise<void>;
  try {
    close = await hosted(start);
  } catch (error) {
    if (!(error instanceof CannotStart) || parent === null) throw error;
    parent.postMessage({ kind: 'cannot_start', sentence: error.message });
    return;
  }
  parent?.on('message', (value) => {
    if ((value as { kind?: string }).kind !== 'close') return;
    void close().then(() => process.exit(0));
  });
  parent?.postMessage({ kind: 'ready' });
}
