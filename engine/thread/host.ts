// Where a thread's work runs: in a worker thread, or inline in this one. Both are reached through a
// port, so what they host cannot tell the difference; tests and the simulator run everything
// inline.

import { MessageChannel, type TransferListItem, Worker } from 'node:worker_threads';
import { inlinePorts, type Port } from './link.ts';

/** Something running behind a port. */
export interface Host {
  readonly port: Port;
  /** Resolves when it takes messages; rejects with the reason when it cannot. */
  readonly ready: Promise<void>;
  /**
   * Asks it to end and waits for it. Never call before `ready` settled: ending a thread that opens
   * LMDB aborts the process.
   */
  close(): Promise<void>;
}

/** What a hosted module is given; `port` is its end of the link. */
export interface HostedStart<Data> {
  readonly port: Port;
  readonly data: Data;
  /** Ports to other threads, in the order they were given to the host. */
  readonly ports: readonly Port[];
}

/** A module that can be hosted: it returns how to end it once it is ready. */
type Hosted<Data> = (start: HostedStart<Data>) => Promise<() => Promise<void>>;

interface ThreadHostOptions<Data> {
  readonly name: string;
  /** URL of a module exporting `start(workerData)`. */
  readonly entry: URL;
  readonly data: Data;
  readonly ports: readonly (Port & TransferListItem)[];
  /** The thread ended without being closed. */
  onExit(reason: string): void;
}

/** Runs a module in a worker thread of its own. */
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
    worker.on('message', (value: { kind?: string }) => {
      if (value.kind === 'ready') resolve();
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

/**
 * Runs a module in this thread. Frames cross through `defer`, so a simulator can hold and order
 * them.
 */
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

/** The body of a worker entry's `start`: runs the module, says `ready`, and ends on request. */
export async function serveThread<Data>(
  hosted: Hosted<Data>,
  start: HostedStart<Data>,
  parent: Port | null,
): Promise<void> {
  const close = await hosted(start);
  parent?.on('message', (value) => {
    if ((value as { kind?: string }).kind !== 'close') return;
    void close().then(() => process.exit(0));
  });
  parent?.postMessage({ kind: 'ready' });
}
