// The bytes of an export as UTF-8. An export in another encoding is decoded as one stream and
// refused at the first byte that its encoding lacks.

import { UsageError } from '../command.ts';

/** The value of `--encoding` as the decoder spells it. */
export function encodingOf(name: string): string {
  try {
    return new TextDecoder(name).encoding;
  } catch {
    throw new UsageError(
      `--encoding is "${name}", which is not an encoding; expected utf-8, utf-16le, windows-1250 to windows-1258, windows-874, shift_jis, gb18030, big5, euc-kr, koi8-r or another name of the WHATWG list.`,
    );
  }
}

/** `encoding`: what the caller named, as the decoder spells it. UTF-16 is recognized without. */
export async function* asUtf8(
  source: AsyncIterable<Buffer>,
  encoding: string | undefined,
): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  while (head.length < 3) {
    const next = await chunks.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  const told = encodingIn(head);
  if (told !== undefined && encoding !== undefined && told !== encoding)
    throw new Error(
      `the file begins as ${told} does, but --encoding is ${encoding}. Nothing was imported.`,
    );
  const used = told ?? encoding ?? 'utf-8';
  const bytes = joined(head, { [Symbol.asyncIterator]: () => chunks });
  if (used === 'utf-8') yield* bytes;
  else yield* decoded(bytes, used);
}

async function* joined(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (head.length > 0) yield head;
  yield* rest;
}

/** By its byte order mark, or by the zero beside the first brace. */
function encodingIn(head: Buffer): string | undefined {
  const begins = (...bytes: number[]) => bytes.every((byte, at) => head[at] === byte);
  if (begins(0xef, 0xbb, 0xbf)) return 'utf-8';
  if (begins(0xff, 0xfe) || begins(0x7b, 0)) return 'utf-16le';
  return begins(0xfe, 0xff) || begins(0, 0x7b) ? 'utf-16be' : undefined;
}

async function* decoded(bytes: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const read = (chunk?: Buffer): Buffer => {
    try {
      const text = chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
      return Buffer.from(encoding === 'windows-1252' ? withoutControls(text) : text, 'utf8');
    } catch {
      throw new Error(
        `the file contains bytes that are not valid in ${encoding}; name its encoding with --encoding. Nothing was imported.`,
      );
    }
  };
  for await (const chunk of bytes) yield read(chunk);
  yield read();
}

const of1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Node 20 reads the bytes 0x80 to 0x9f of Windows-1252 as control characters. */
export function withoutControls(text: string): string {
  return text.replace(/[\x80-\x9f]/g, (letter) => of1252[letter.charCodeAt(0) - 0x80] ?? letter);
}
