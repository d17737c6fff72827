// The bytes of an export, plain or gzip (also members joined with `cat`), with their hash.
// Throws for
// a cut gzip member.

import { createHash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** In unpacked bytes. */
const fileBytesMax = 10 * 1024 ** 3;
/** After the first MiB, a higher ratio is an attack. */
const gzipRatioMax = 100;

/** Progress while reading, then totals. */
export interface ReadMeter {
  /** Bytes as stored, packed or not. */
  bytes: number;
  /** Their SHA-256 in hexadecimal, at the end. */
  sha256?: string;
}

/** The file's unpacked bytes. */
export async function* unpacked(
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
