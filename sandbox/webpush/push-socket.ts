// One connection of a browser to its vendor's push socket, on the side of the vendor: greets it,
// answers its heartbeats, and hands it messages. Each frame is a tag, a length and a protobuf.

import type { Socket } from 'node:net';
import { readVarint, textField, varint, wireMessage } from './protobuf.ts';

/** The version of the socket's language, sent once by each side. */
const version = 41;
const tags = { heartbeatPing: 0, heartbeatAck: 1, login: 2, loginAnswer: 3, data: 8 } as const;
/** A browser's frames are far shorter. */
const frameBytesMax = 65_536;
/** Which of a login's fields names the browser. */
const userField = 3;

/** A message that the browser decrypts. */
export interface SocketMessage {
  readonly id: string;
  /** The installed application in the browser's words, and who may send to it. */
  readonly category: string;
  readonly sender: string;
  readonly subtype: string;
  readonly body: Buffer;
  readonly sentMs: number;
}

const ttlSeconds = 60;

/** Greets the browser and calls back with its name; returns nothing until it has logged in. */
export function servePushSocket(
  socket: Socket,
  nowMs: () => number,
  loggedIn: (browser: string) => void,
): void {
  let bytes = Buffer.alloc(0);
  let isGreeted = false;
  socket.on('error', () => undefined); // the browser went away, which `close` tells
  socket.on('data', (more) => {
    bytes = Buffer.concat([bytes, more as Buffer]);
    if (!isGreeted && bytes.length > 0) {
      if (bytes[0] !== version) {
        socket.destroy();
        return;
      }
      isGreeted = true;
      bytes = bytes.subarray(1);
      socket.write(Buffer.of(version));
    }
    for (let frame = nextFrame(bytes); frame !== undefined; frame = nextFrame(bytes)) {
      bytes = bytes.subarray(frame.end);
      if (frame.tag === tags.heartbeatPing)
        socket.write(frameOf(tags.heartbeatAck, Buffer.alloc(0)));
      if (frame.tag !== tags.login) continue;
      const answer = wireMessage([
        [1, 'stand-in'],
        [8, nowMs()],
      ]);
      socket.write(frameOf(tags.loginAnswer, answer));
      loggedIn(textField(frame.body, userField) ?? '');
    }
    if (bytes.length > frameBytesMax) socket.destroy();
  });
}

export function writeMessage(socket: Socket, message: SocketMessage): void {
  const { id, category, sender, subtype, body, sentMs } = message;
  const pair = (key: string, value: string) =>
    wireMessage([
      [1, key],
      [2, value],
    ]);
  const stanza = wireMessage([
    [2, ''],
    [3, sender],
    [4, ''],
    [5, category],
    [7, pair('subtype', subtype)],
    [7, pair('content-encoding', 'aes128gcm')],
    [9, id],
    [17, ttlSeconds],
    [18, sentMs],
    [21, body],
  ]);
  socket.write(frameOf(tags.data, stanza));
}

function frameOf(tag: number, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from([tag, ...varint(body.length)]), body]);
}

function nextFrame(
  bytes: Buffer,
): { readonly tag: number; readonly body: Buffer; readonly end: number } | undefined {
  const length = bytes.length < 2 ? undefined : readVarint(bytes, 1);
  if (length === undefined) return undefined;
  const end = length.end + length.value;
  if (bytes.length < end) return undefined;
  return { tag: bytes[0] as number, body: bytes.subarray(length.end, end), end };
}
