// A scripted HTTP/2 server on loopback: each call meets the behavior that was set last. Without
// TLS unless a certificate is given. The test decides what happens to connections (GOAWAY, cutting,
// silence).

import { once } from 'node:events';
import {
  constants,
  createSecureServer,
  createServer,
  type Http2Session,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';

/** The server's behavior for a call. */
export type Http2Behavior =
  | { status: number; headers?: Record<string, string>; body?: string }
  | 'hang'
  | 'cut'
  | ((call: Http2Call, stream: ServerHttp2Stream) => void);

export interface Http2Call {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** Counts connections from 1. */
  connection: number;
  streamId: number;
}

interface Http2StandIn {
  url: string;
  calls: Http2Call[];
  meet(behavior: Http2Behavior): void;
  /** Calls that were read and not answered. */
  held: ServerHttp2Stream[];
  connections(): number;
  /** Open connections, oldest first. */
  open: Http2Session[];
  close(): Promise<void>;
}

export interface Http2StandInOptions {
  streamsMax?: number;
  certificate?: { key: string; cert: string };
}

export async function http2StandIn(
  first: Http2Behavior,
  { streamsMax = 100, certificate }: Http2StandInOptions = {},
): Promise<Http2StandIn> {
  let behavior = first;
  let opened = 0;
  const calls: Http2Call[] = [];
  const held: ServerHttp2Stream[] = [];
  const open: Http2Session[] = [];
  const numbers = new WeakMap<Http2Session, number>();
  const sockets = new Set<Socket>();
  const settings = { maxConcurrentStreams: streamsMax };
  const server = certificate
    ? createSecureServer({ ...certificate, settings })
    : createServer({ settings });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('session', (session) => {
    numbers.set(session, ++opened);
    open.push(session);
    session.on('error', () => {});
    session.once('close', () => open.splice(open.indexOf(session), 1));
  });
  const serve = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    const { session } = stream;
    const chunks: Buffer[] = [];
    stream.on('error', () => {});
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      if (stream.destroyed) return;
      const call = {
        path: headers[':path'] ?? '',
        headers,
        body: Buffer.concat(chunks),
        connection: (session && numbers.get(session)) ?? 0,
        streamId: stream.id ?? 0,
      };
      calls.push(call);
      if (behavior === 'hang') held.push(stream);
      else if (behavior === 'cut') for (const socket of sockets) socket.destroy();
      else if (typeof behavior === 'function') behavior(call, stream);
      else answer(stream, behavior);
    });
  };
  server.on('stream', serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: certificate ? `https://localhost:${port}` : `http://127.0.0.1:${port}`,
    calls,
    held,
    open,
    connections: () => opened,
    meet(next) {
      behavior = next;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Answers a call that was held or passed to a function. */
export function answer(
  stream: ServerHttp2Stream,
  { status, headers, body }: { status: number; headers?: Record<string, string>; body?: string },
): void {
  if (stream.destroyed) return;
  stream.respond({ ':status': status, ...headers }, { endStream: body === undefined });
  if (body !== undefined) stream.end(body);
}

/**
 * A proxy to a stand-in that passes nothing on after it was cut off, like a network that fails
 * silently.
 */
interface Wire {
  url: string;
  /** `givenUp` resolves when the caller has closed all its connections. */
  cutOff(): { givenUp: Promise<unknown> };
  close(): void;
}

export async function wireTo(url: string): Promise<Wire> {
  const near: Socket[] = [];
  const far: Socket[] = [];
  const server = createTcpServer((socket) => {
    const beyond = connect(Number(new URL(url).port), '127.0.0.1');
    near.push(socket);
    far.push(beyond);
    for (const one of [socket, beyond]) one.on('error', () => {});
    socket.pipe(beyond);
    beyond.pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cutOff() {
      for (const socket of far) socket.unpipe().pause();
      for (const socket of near) socket.unpipe().resume();
      return { givenUp: Promise.all(near.map((socket) => once(socket, 'close'))) };
    },
    close() {
      for (const socket of [...near, ...far]) socket.destroy();
      server.close();
    },
  };
}

/** Refuses a call as unprocessed. */
export function refuseStream(stream: ServerHttp2Stream): void {
  stream.close(constants.NGHTTP2_REFUSED_STREAM);
}
