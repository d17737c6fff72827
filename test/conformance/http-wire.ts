// HTTP/1.1 over a raw socket, as little as the suite needs: requests as bytes, answers as they
// came. Not an HTTP client, for those mend what is being tested. Only answers with a
// content-length, or none, can be read one after the other; for a chunked one read `untilClosed`.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** The longest body that a server takes unless its options say otherwise. */
export const mebibyte = 1_048_576;

/**
 * One answer as it came over the wire; header names are lower-case, of repeated ones the last is
 * kept.
 */
interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly bytes: Buffer;
  readonly body: string;
}

/** A connection that reads one answer after the other. */
interface Client {
  readonly socket: Socket;
  /** Writes and reads the next answer; `bodiless` for HEAD. */
  ask(wire: string | Buffer, bodiless?: boolean): Promise<RawAnswer>;
  next(bodiless?: boolean): Promise<RawAnswer>;
}

/** Connects; a reset is told by the next read, never thrown. */
export async function open(port: number): Promise<Client> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const pieces: Buffer[] = [];
  let size = 0;
  let arrived: (() => void) | undefined;
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => {
    pieces.push(chunk);
    size += chunk.length;
    arrived?.();
  });
  socket.on('close', () => arrived?.());
  const atLeast = async (bytes: number): Promise<Buffer> => {
    while (size < bytes) {
      if (socket.closed) throw new Error(`connection closed after ${size} bytes`);
      await new Promise<void>((resolve) => (arrived = resolve));
    }
    const all = Buffer.concat(pieces);
    pieces.splice(0, pieces.length, all);
    return all;
  };
  const next = async (bodiless = false): Promise<RawAnswer> => {
    let end = -1;
    for (let want = 1; end < 0; ) {
      const all = await atLeast(want);
      end = all.indexOf('\r\n\r\n');
      want = all.length + 1;
    }
    const head = (await atLeast(end)).toString('latin1', 0, end);
    const headers = new Map<string, string>();
    for (const line of head.split('\r\n').slice(1)) {
      const colon = line.indexOf(':');
      headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
    }
    const length = bodiless ? 0 : Number(headers.get('content-length') ?? 0);
    const all = await atLeast(end + 4 + length);
    const bytes = all.subarray(end + 4, end + 4 + length);
    const rest = all.subarray(end + 4 + length);
    pieces.splice(0, pieces.length, rest);
    size = rest.length;
    return {
      status: Number(head.slice(9, 12)),
      head,
      headers,
      bytes,
      body: bytes.toString('utf8'),
    };
  };
  return {
    socket,
    next,
    ask: (wire, bodiless) => {
      socket.write(wire);
      return next(bodiless);
    },
  };
}

/** One request on a connection of its own. */
export async function ask(port: number, wire: string | Buffer): Promise<RawAnswer> {
  const client = await open(port);
  const answer = await client.ask(wire);
  client.socket.destroy();
  return answer;
}

/** Everything that comes back until the server closes the connection. */
export async function untilClosed(port: number, wire: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  socket.write(wire);
  await once(socket, 'close');
  return text;
}

/** The text of one answer to a request that asks for the end of the connection. */
export function oneShot(port: number, wire: string): Promise<string> {
  return untilClosed(port, wire.replace('\r\n', '\r\nconnection: close\r\n'));
}

/** The bytes of a GET; `headers` as whole lines. */
export function get(path: string, headers = ''): string {
  return `GET ${path} HTTP/1.1\r\nhost: h\r\n${headers}\r\n`;
}

/** The bytes of a POST that declares its length. */
export function sized(body: Buffer, path = '/'): Buffer {
  const head = `POST ${path} HTTP/1.1\r\nhost: h\r\ncontent-length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

/** The bytes of a POST in chunks of `size` bytes. */
export function chunked(body: Buffer, size: number, path = '/'): Buffer {
  const pieces: Buffer[] = [
    Buffer.from(`POST ${path} HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\n`),
  ];
  for (let at = 0; at < body.length; at += size) {
    const piece = body.subarray(at, at + size);
    pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'));
  }
  pieces.push(Buffer.from('0\r\n\r\n'));
  return Buffer.concat(pieces);
}
