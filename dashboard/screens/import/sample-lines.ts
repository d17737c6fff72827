// Lines of a file that is not UTF-8, to tell by what else it is: its first line, and lines with
// bytes beyond ASCII.

import { type ByteStream, chunksOf } from '../../../files/decoded.ts';

export interface SampleLines {
  readonly lines: readonly Uint8Array[];
  /** Lines with bytes beyond ASCII that are UTF-8, and those that are not. */
  readonly utf8: number;
  readonly other: number;
  /** One that is: in another encoding it reads wrong. */
  readonly utf8Line: Uint8Array | undefined;
  /** The first that is not, counted from 1. */
  readonly firstOther: number;
}

const linesMax = 200;
const shownBytes = 4_096;
/** More of a line is not looked at. */
const lineBytesMax = 1024 * 1024;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** No byte of a letter is a line end in any encoding that is asked for. */
export async function sampleLines(stream: ByteStream): Promise<SampleLines> {
  const lines: Uint8Array[] = [];
  let utf8Line: Uint8Array | undefined;
  let [line, utf8, other, firstOther] = [0, 0, 0, 0];
  const take = (bytes: Uint8Array) => {
    line++;
    const isAscii = bytes.every((byte) => byte < 0x80);
    const isOther = !isAscii && !isUtf8(bytes);
    if (isOther) {
      other++;
      firstOther ||= line;
    } else if (!isAscii) {
      utf8++;
      utf8Line ??= shownOf(bytes);
    }
    if (line > 1 && !isOther) return;
    if (lines.length < linesMax) lines.push(shownOf(bytes));
  };
  let rest = new Uint8Array();
  let isAfterReturn = false;
  for await (const chunk of chunksOf(stream)) {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      const isFeed = byte === lineFeed;
      if (isFeed && isAfterReturn) from = at + 1;
      else if (isFeed || byte === carriageReturn) {
        take(joined(rest, chunk.subarray(from, at)));
        rest = new Uint8Array();
        from = at + 1;
      }
      isAfterReturn = byte === carriageReturn;
    }
    if (rest.length < lineBytesMax) rest = joined(rest, chunk.subarray(from));
  }
  if (rest.length > 0) take(rest);
  return { lines, utf8, other, utf8Line, firstOther };
}

/** Of a long line, what is around its first letter beyond ASCII, cut where no letter is. */
function shownOf(line: Uint8Array): Uint8Array {
  if (line.length <= shownBytes) return line;
  const isBorder = (byte: number) => byte < 0x30;
  const letter = line.findIndex((byte) => byte >= 0x80);
  const from = line.subarray(0, Math.max(0, letter)).findLastIndex(isBorder) + 1;
  const part = line.subarray(from, from + shownBytes);
  return part.subarray(0, part.findLastIndex(isBorder) + 1);
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
