// Lines of JSON over a unix socket: one request per connection, progress lines, then a result or an
// error. A disconnect aborts the work through a signal.

import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';

export type AnswerLine =
  | { readonly progress: string }
  | { readonly result: unknown }
  | { readonly error: string };

export interface LineJob {
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  progress(text: string): void;
}

/** `undefined` is a line that is not JSON. A thrown error becomes one sentence for the client. */
export type PerformLine = (request: unknown, job: LineJob) => Promise<unknown>;

export interface LineServer {
  /** Stops accepting, ends all connections, waits a while for work, and removes the socket. */
  close(): Promise<void>;
}

const requestCharsMax = 64 * 1024;
const requestLimitMs = 10_000;
const closeLimitMs = 10_000;

/** Listens with mode 0600 at a path that no other process can use; removes an existing file. */
export async function serveLines(path: string, perform: PerformLine): Promise<LineServer> {
  rmSync(path, { force: true });
  const sockets = new Set<Socket>();
  const running = new Set<Promise<void>>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    const done = serve(socket, perform).finally(() => running.delete(done));
    running.add(done);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    // umask, because the socket exists before chmod could run. Exclusive, because a cluster worker
    // would make its primary listen.
    const before = process.umask(0o177);
    server.listen({ path, exclusive: true }, () => {
      server.off('error', reject);
      chmodSync(path, 0o600);
      resolve();
    });
    process.umask(before);
  });
  return {
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, closeLimitMs);
      });
      await Promise.race([Promise.all([closed, ...running]), late]);
      clearTimeout(timer);
      rmSync(path, { force: true });
    },
  };
}

async function serve(socket: Socket, perform: PerformLine): Promise<void> {
  const say = (line: AnswerLine) => {
    if (socket.writable) socket.write(`${JSON.stringify(line)}\n`);
  };
  const gone = new AbortController();
  socket.on('close', () => gone.abort());
  const text = await firstLine(socket);
  if (text === undefined) return;
  try {
    const job: LineJob = { signal: gone.signal, progress: (progress) => say({ progress }) };
    say({ result: await perform(parsed(text), job) });
  } catch (error) {
    say({ error: error instanceof Error ? error.message : String(error) });
  } finally {
    socket.end();
  }
}

/** A connection's first line; `undefined` if it is incomplete, too long or too slow. */
function firstLine(socket: Socket): Promise<string | undefined> {
  socket.setTimeout(requestLimitMs, () => socket.destroy());
  socket.setEncoding('utf8');
  return new Promise((resolve) => {
    let received = '';
    socket.on('data', (part: string) => {
      received += part;
      const end = received.indexOf('\n');
      if (end >= 0) {
        socket.setTimeout(0);
        resolve(received.slice(0, end));
      } else if (received.length > requestCharsMax) socket.destroy();
    });
    socket.once('close', () => resolve(undefined));
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
