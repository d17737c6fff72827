// The token of an open pixel or a tracked link: send, device, person, journey and target. It is
// complete, so nothing is stored per mail, and works while the master key is configured. Pure. The
// signature covers the target; otherwise anyone could make our domain redirect anywhere.
//   kind 1 | app 4 | send 12 | device 12 | person 4 | journey 12, where the kind says so
//   address, of a link | signature 16

import { timingSafeEqual } from 'node:crypto';
import type { Ordinal } from '../../../engine/base/brand.ts';
import { type HmacSha256, hmacRoomBytes } from '../../../engine/base/hmac.ts';
import { formatId, type IdPrefix, parseId } from '../../../engine/base/id.ts';
import type { Tracked, TrackedMail } from './tracked.ts';

interface TokenWriter {
  opened(): string;
  clicked(url: string): string;
}

const isLink = 1;
const hasJourney = 2;
const idBytes = 12;
const macBytes = 16;
/** Precedes the signed bytes, so that no other signature of ours is a token. */
const label = Buffer.from('tracked');
const bodyAt = hmacRoomBytes + label.length;
const headBytes = 1 + 4 + 2 * idBytes + 4;
/** Longer addresses stay untracked: servers and proxies refuse long paths. */
export const trackedUrlBytesMax = 1_500;

/** `undefined` for foreign ids. */
export function tokenWriter(
  { sendId, deviceId, person, journeyId }: Omit<TrackedMail, 'app'>,
  mac: HmacSha256,
): TokenWriter | undefined {
  const send = parseId('ntf', sendId);
  const head = Buffer.alloc(headBytes + (journeyId === undefined ? 0 : idBytes));
  if (send === undefined) return undefined;
  head.writeUInt32BE(send.ordinal, 1);
  const isWritten =
    writeId('ntf', sendId, head, 5) &&
    writeId('dev', deviceId, head, 5 + idBytes) &&
    (journeyId === undefined || writeId('jrn', journeyId, head, headBytes));
  if (!isWritten) return undefined;
  head.writeUInt32BE(person >>> 0, headBytes - 4);
  const write = (kind: number, url: string) => {
    const end = bodyAt + head.length + url.length;
    const room = Buffer.allocUnsafe(end + macBytes);
    room.set(label, hmacRoomBytes);
    room.set(head, bodyAt);
    room[bodyAt] = kind;
    room.write(url, bodyAt + head.length, 'latin1');
    room.write(mac.sign(room.subarray(0, end)), end, macBytes, 'latin1');
    return room.toString('base64url', bodyAt);
  };
  const kind = journeyId === undefined ? 0 : hasJourney;
  return { opened: () => write(kind, ''), clicked: (url) => write(kind | isLink, url) };
}

/** A token's content; `undefined` if it is not ours. Any of the keys may have signed it. */
export function readTracked(token: string, macs: readonly HmacSha256[]): Tracked | undefined {
  if (!/^[\w-]{40,2400}$/.test(token)) return undefined;
  const bytes = Buffer.from(token, 'base64url');
  // Each token has one text: another last letter could decode to the same bytes.
  if (bytes.toString('base64url') !== token) return undefined;
  const body = bytes.subarray(0, -macBytes);
  const mac = bytes.subarray(-macBytes);
  if (body.length < headBytes || !macs.some((one) => timingSafeEqual(mac, macOf(body, one))))
    return undefined;
  const kind = body[0] as number;
  const app = body.readUInt32BE(1);
  const journeyBytes = (kind & hasJourney) === 0 ? 0 : idBytes;
  const mail = {
    app,
    sendId: idAt('ntf', app, body, 5),
    deviceId: idAt('dev', app, body, 5 + idBytes),
    person: body.readUInt32BE(headBytes - 4),
    ...(journeyBytes === 0 ? {} : { journeyId: idAt('jrn', app, body, headBytes) }),
    mark: mac.toString('base64url', 0, 9),
  };
  if ((kind & isLink) === 0) return { ...mail, kind: 'opened' };
  return { ...mail, kind: 'clicked', url: body.toString('latin1', headBytes + journeyBytes) };
}

function macOf(body: Buffer, mac: HmacSha256): Buffer {
  const room = Buffer.concat([Buffer.alloc(hmacRoomBytes), label, body]);
  return Buffer.from(mac.sign(room).slice(0, macBytes), 'latin1');
}

/** An id without its app. */
function writeId(prefix: IdPrefix, id: string, into: Buffer, at: number): boolean {
  const parts = parseId(prefix, id);
  if (parts === undefined) return false;
  into.writeUIntBE(parts.atMs, at, 6);
  into.writeUInt16BE(parts.high16, at + 6);
  into.writeUInt32BE(parts.low32, at + 8);
  return true;
}

function idAt(prefix: IdPrefix, ordinal: Ordinal, from: Buffer, at: number): string {
  return formatId(prefix, {
    ordinal,
    atMs: from.readUIntBE(at, 6),
    high16: from.readUInt16BE(at + 6),
    low32: from.readUInt32BE(at + 8),
  });
}
