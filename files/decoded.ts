// The text of a file, decoded as one stream: a letter whose bytes lie in two slices stays whole. A
// file that has bytes which its encoding does not know is refused; nothing is replaced by "�".

export interface DecodedText {
  readonly text: string;
  /** Of the file, read so far. */
  readonly bytes: number;
}

/** The file has bytes that are not valid in the encoding. */
export class WrongEncoding extends Error {
  override readonly name = 'WrongEncoding';
  readonly encoding: string;

  constructor(encoding: string) {
    super(`the file contains bytes that are not valid in ${encoding}`);
    this.encoding = encoding;
  }
}

export type ByteStream = AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;

/** Without its byte order mark. Throws `WrongEncoding`. */
export async function* decoded(stream: ByteStream, encoding: string): AsyncGenerator<DecodedText> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const read = (chunk?: Uint8Array): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch {
      throw new WrongEncoding(encoding);
    }
  };
  let bytes = 0;
  for await (const chunk of chunksOf(stream)) {
    bytes += chunk.byteLength;
    yield { text: read(chunk), bytes };
  }
  yield { text: read(), bytes };
}

/** Safari cannot iterate over a stream. */
export async function* chunksOf(stream: ByteStream): AsyncGenerator<Uint8Array> {
  if (!('getReader' in stream)) return yield* stream;
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}
