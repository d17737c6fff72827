// DNS messages as bytes: reads a question, writes its answer (RFC 1035 4). Enough for TXT and
// CNAME over UDP; names are written without compression.

import type { DnsRecord, Resolved } from './zone.ts';

interface DnsQuestion {
  readonly id: number;
  /** As asked, in any case. */
  readonly name: string;
  readonly type: number;
  /** The question section as received: resolvers compare it to what they asked. */
  readonly bytes: Buffer;
}

const typeNumbers = { CNAME: 5, TXT: 16 } as const;
const headerBytes = 12;
const stringBytesMax = 255;
const ttlSeconds = 1;
const codes = { ok: 0, failure: 2, no_such_name: 3 } as const;

/** `undefined` for bytes that are not one question of class IN. */
export function readQuestion(bytes: Buffer): DnsQuestion | undefined {
  if (bytes.length < headerBytes) return undefined;
  const isQuery = (bytes.readUInt16BE(2) & 0xf800) === 0; // a standard query
  if (!isQuery || bytes.readUInt16BE(4) !== 1) return undefined;
  const labels: string[] = [];
  let at = headerBytes;
  for (;;) {
    const length = bytes[at];
    if (length === undefined || length > 63) return undefined;
    at++;
    if (length === 0) break;
    if (at + length > bytes.length) return undefined;
    labels.push(bytes.toString('latin1', at, at + length));
    at += length;
  }
  if (at + 4 > bytes.length || bytes.readUInt16BE(at + 2) !== 1) return undefined;
  return {
    id: bytes.readUInt16BE(0),
    name: labels.join('.'),
    type: bytes.readUInt16BE(at),
    bytes: bytes.subarray(headerBytes, at + 4),
  };
}

export function typeOf(question: DnsQuestion): DnsRecord['type'] | undefined {
  if (question.type === typeNumbers.TXT) return 'TXT';
  return question.type === typeNumbers.CNAME ? 'CNAME' : undefined;
}

/** The answer's bytes. `resolved` is not silence. */
export function writeAnswer(
  { id, bytes }: DnsQuestion,
  resolved: Exclude<Resolved, { status: 'silence' }>,
): Buffer {
  const records = resolved.status === 'failure' ? [] : resolved.records;
  const header = Buffer.alloc(headerBytes);
  header.writeUInt16BE(id, 0);
  header.writeUInt16BE(0x8180 | codes[resolved.status], 2); // answer, recursion wanted and done
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, bytes, ...records.map(recordBytes)]);
}

function recordBytes({ type, name, value }: DnsRecord): Buffer {
  const data = type === 'TXT' ? textBytes(value) : nameBytes(value);
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(typeNumbers[type], 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt32BE(ttlSeconds, 4);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([nameBytes(name), fixed, data]);
}

function nameBytes(name: string): Buffer {
  const labels = name.split('.').flatMap((label) => {
    const bytes = Buffer.from(label, 'latin1').subarray(0, 63);
    return [Buffer.from([bytes.length]), bytes];
  });
  return Buffer.concat([...labels, Buffer.from([0])]);
}

/** Strings of at most 255 bytes, as DNS panels split a long text. */
function textBytes(text: string): Buffer {
  const bytes = Buffer.from(text);
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length || at === 0; at += stringBytesMax) {
    const part = bytes.subarray(at, at + stringBytesMax);
    parts.push(Buffer.from([part.length]), part);
  }
  return Buffer.concat(parts);
}
