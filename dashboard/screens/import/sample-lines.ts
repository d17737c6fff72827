// Lines of a file that is not UTF-8, to tell by what else it is: its first line, and lines with
// bytes beyond ASCII.

import type { Bytes } from './decoded.ts';

export interface SampleLines {
  readonly lines: readonly Uint8Array[];
  /** Lines with bytes beyond ASCII that are UTF-8, and those that are not. */
  readonly utf8: number;
  readonly other: number;
  /** The first that is not, counted from 1. */
  readonly firstOther: number;
}

const linesMax = 200;
const lineBytesMax = 4_096;
const newline = 0x0a;

/** No byte of a letter is a line end in any encoding that is asked for. */
export async function sampleLines(stream: Bytes): Promise<SampleLines> {
  const lines: Uint8Array[] = [];
  let [line, utf8, other, firstOther] = [0, 0, 0, 0];
  const take = (bytes: Uint8Array) => {
    line++;
    const isAscii = bytes.every((byte) => byte < 0x80);
    const isOther = !isAscii && !isUtf8(bytes);
    if (isOther) {
      other++;
      firstOther ||= line;
    } else if (!isAscii) utf8++;
    if (line > 1 && !isOther) return;
    if (lines.length < linesMax && bytes.length <= lineBytesMax) lines.push(bytes);
  };
  let rest = new Uint8Array();
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    let from = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      take(joined(rest, chunk.subarray(from, end)));
      rest = new Uint8Array();
      from = end + 1;
    }
    // Of a line that is too long to be shown, its beginning is enough.
    if (rest.length <= lineBytesMax) rest = joined(rest, chunk.subarray(from));
  }
  if (rest.length > 0) take(rest);
  return { lines, utf8, other, firstOther };
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
