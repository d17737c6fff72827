// Streams a legacy export's lines. A cut plain file looks complete, so a last line without an end
// is marked as torn.

import { isUtf8 } from 'node:buffer';
import { asUtf8 } from './export-encoding.ts';
import { type ReadMeter, unpacked } from './unpacked.ts';

/** In bytes; longer lines are skipped. */
const lineBytesMax = 256 * 1024;

/** A line without its end, or why it is unreadable. Empty lines are omitted. */
export type ExportLine =
  | { readonly line: number; readonly text: string; readonly isTorn: boolean }
  | { readonly line: number; readonly unreadable: 'line_too_long' | 'not_utf8' };

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
