// Streams a legacy export's lines, plain or gzip (also members joined with `cat`). Throws for a cut
// gzip member. A cut plain file looks complete, so a last line without an end is marked as torn.

import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { asUtf8 } from './export-encoding.ts';

/** In bytes; longer lines are skipped. */
const lineBytesMax = 256 * 1024;
/** In unpacked bytes. */
const fileBytesMax = 10 * 1024 ** 3;
/** After the first MiB, a higher ratio is an attack. */
const gzipRatioMax = 100;

/** A line without its end, or why it is unreadable. Empty lines are omitted. */
export type ExportLine =
  | { readonly line: number; readonly text: string; readonly isTorn: boolean }
  | { readonly line: number; readonly unreadable: 'line_too_long' | 'not_utf8' };

/** Progress while reading, then totals. */
export interface ReadMeter {
  /** Bytes as stored, packed or not. */
  bytes: number;
  /** Their SHA-256 in hexadecimal, at the end. */
  sha256?: string;
}

const newline = 0x0a;
const carriageReturn = 0x0d;
const byteOrderMark = '\ufeff';

/**
 * A source's lines in batches, numbered from 1. Lines end with LF or CRLF. Drops a byte order mark
 * at any line's start, since joined files bring one each. `encoding`: what the caller named. Throws
 * a one-sentence error for damaged, incomplete or too large gzip, and for bytes that are not of
 * another encoding than UTF-8.
 */
export async function* exportLines(
  source: AsyncIterable<Uint8Array>,
  meter: ReadMeter,
  encoding?: string,
): AsyncGenerator<readonly ExportLine[]> {
  let line = 0;
  let carry: Buffer = Buffer.alloc(0);
  let isOverlong = false; // the rest of the present line is passed over
  for await (const chunk of asUtf8(unpacked(source, meter), encoding)) {
    const end = chunk.lastIndexOf(newline);
    if (end < 0) {
      if (isOverlong) continue;
      carry = Buffer.concat([carry, chunk]);
      isOverlong = carry.length > lineBytesMax + 1;
      if (isOverlong) carry = Buffer.alloc(0);
      continue;
    }
    const lines: ExportLine[] = [];
    let from = 0;
    if (isOverlong) {
      line++;
      lines.push({ line, unreadable: 'line_too_long' });
      from = chunk.indexOf(newline) + 1;
      isOverlong = false;
    }
    if (from <= end) {
      const whole = Buffer.concat([carry, chunk.subarray(from, end)]);
      line = cutLines(whole, line, lines);
    }
    carry = Buffer.from(chunk.subarray(end + 1)); // a copy, so that the chunk can go
    yield lines;
  }
  if (isOverlong) yield [{ line: line + 1, unreadable: 'line_too_long' }];
  else if (carry.length > 0) {
    const lines: ExportLine[] = [];
    cutLines(wholeLetters(carry), line, lines);
    yield lines.map((last) => ('text' in last ? { ...last, isTorn: true } : last));
  }
}

/** A last line without the letter that a broken transfer cut; other bytes stay as they are. */
function wholeLetters(line: Buffer): Buffer {
  try {
    return Buffer.from(new TextDecoder('utf-8', { fatal: true }).decode(line, { stream: true }));
  } catch {
    return line;
  }
}

/** Splits whole lines; returns the last line's number. */
function cutLines(bytes: Buffer, before: number, into: ExportLine[]): number {
  let line = before;
  if (!isUtf8(bytes)) {
    for (let from = 0; from <= bytes.length; ) {
      const next = bytes.indexOf(newline, from);
      const end = next < 0 ? bytes.length : next;
      const part = bytes.subarray(from, end);
      line++;
      if (isUtf8(part)) pushLine(part.toString('utf8'), line, into);
      else into.push({ line, unreadable: 'not_utf8' });
      from = end + 1;
    }
    return line;
  }
  const text = bytes.toString('utf8');
  for (let from = 0; from <= text.length; ) {
    const next = text.indexOf('\n', from);
    const end = next < 0 ? text.length : next;
    line++;
    pushLine(text.slice(from, end), line, into);
    from = end + 1;
  }
  return line;
}

function pushLine(raw: string, line: number, into: ExportLine[]): void {
  let text = raw.startsWith(byteOrderMark) ? raw.slice(1) : raw;
  if (text.charCodeAt(text.length - 1) === carriageReturn) text = text.slice(0, -1);
  // Only a line of a third of the bound can exceed it: counting is slow.
  if (text.length * 3 > lineBytesMax && Buffer.byteLength(text) > lineBytesMax)
    into.push({ line, unreadable: 'line_too_long' });
  else if (text.trim() !== '') into.push({ line, text, isTorn: false });
}

/** The file's unpacked bytes. */
async function* unpacked(
  source: AsyncIterable<Uint8Array>,
  meter: ReadMeter,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  const chunks = metered(source, meter, hash);
  let head: Buffer = Buffer.alloc(0);
  while (head.length < 2) {
    const next = await chunks.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  const isGzip = head[0] === 0x1f && head[1] === 0x8b;
  let size = 0;
  try {
    for await (const chunk of isGzip ? gunzipped(head, chunks) : following(head, chunks)) {
      size += chunk.length;
      if (size > fileBytesMax)
        throw new Error(
          'the file is larger than 10 GiB decompressed; split it into several files.',
        );
      if (isGzip && size > 1024 * 1024 && size > meter.bytes * gzipRatioMax)
        throw new Error(
          `the gzip data decompresses to more than ${gzipRatioMax} times its size, which no real export does.`,
        );
      yield chunk;
    }
  } catch (error) {
    throw gzipError(error);
  }
  // zeros after the last member belong to the digest
  for await (const rest of chunks) void rest;
  meter.sha256 = hash.digest('hex');
}

async function* metered(
  source: AsyncIterable<Uint8Array>,
  meter: ReadMeter,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Buffer> {
  for await (const bytes of source) {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    meter.bytes += chunk.length;
    hash.update(chunk);
    yield chunk;
  }
}

async function* following(
  head: Buffer,
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, void, undefined> {
  if (head.length > 0) yield head;
  yield* chunks;
}

function gunzipped(head: Buffer, chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const gunzip = createGunzip({ chunkSize: 64 * 1024 });
  // The loop over `gunzip` gets errors; the callback only prevents a second throw.
  pipeline(Readable.from(following(head, chunks), { objectMode: false }), gunzip, () => undefined);
  return gunzip;
}

function gzipError(error: unknown): unknown {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  if (code === 'Z_BUF_ERROR')
    return new Error(
      'the file ends in the middle of its gzip data: it is incomplete. Nothing was imported; download it again.',
    );
  if (code?.startsWith('Z_') === true)
    return new Error("the file's gzip data is corrupt. Nothing was imported.");
  return error;
}
