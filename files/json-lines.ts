// JSON Lines from pieces of text: one value a line, a bad line by itself. A file that is one JSON
// array is not JSON Lines, and its first line says so.

import type { DecodedText } from './decoded.ts';
import { WrongFile } from './wrong-file.ts';

export interface JsonLine {
  readonly value?: unknown;
  readonly problem?: string;
}

interface Piece {
  readonly objects: readonly JsonLine[];
  readonly bytes: number;
}

/** In UTF-16 units; no person is as large. */
const lineMax = 4 * 1024 * 1024;

/** Throws `WrongFile` for a line without an end. */
export async function* jsonLines(
  texts: AsyncIterable<DecodedText>,
  pieceBytes: number,
): AsyncGenerator<Piece> {
  let rest = '';
  let bytes = 0;
  let sent = 0;
  let objects: JsonLine[] = [];
  for await (const one of texts) {
    bytes = one.bytes;
    const lines = (rest + one.text).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > lineMax)
      throw new WrongFile(
        'a line is longer than 4 MiB; JSON Lines files have one object per line.',
      );
    objects.push(...lines.flatMap(parsed));
    if (bytes - sent < pieceBytes) continue;
    sent = bytes;
    yield { objects, bytes };
    objects = [];
  }
  objects.push(...parsed(rest));
  if (objects.length > 0) yield { objects, bytes };
}

function parsed(line: string): readonly JsonLine[] {
  const text = line.trim();
  if (text === '') return [];
  try {
    const value: unknown = JSON.parse(text);
    const changed = changedNumber(text);
    if (changed === undefined) return [{ value }];
    return [{ problem: `the number ${changed} cannot be stored exactly; put it in quotes` }];
  } catch {
    return [{ problem: 'the line is not valid JSON' }];
  }
}

const texts = /"(?:[^"\\]|\\.)*"/g;
const longNumbers = /-?\d[\d.]{15,}/g;

/** A number that no number of JavaScript is: 12345678901234567890 would become …567000. */
function changedNumber(text: string): string | undefined {
  if (!/\d[\d.]{15}/.test(text)) return undefined;
  return text
    .replace(texts, '""')
    .match(longNumbers)
    ?.find((one) => !one.includes('.') && !Number.isSafeInteger(Number(one)));
}
