// The files of a partition's copy as one stream: before each file a line of JSON with its path and
// its bytes, at the end one with a checksum of everything. A stream that was cut has no end.

import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize } from 'node:path';
import type { Readable } from 'node:stream';
import type { Bytes } from '../../engine/base/brand.ts';
import { copyPartition } from '../backup.ts';
import { partitionPath } from '../environment.ts';
import { filesBelow, syncFile, syncTree } from '../files.ts';

interface FileLine {
  readonly path: string;
  readonly bytes: Bytes;
}

interface EndLine {
  readonly sha256: string;
}

const lineBytesMax: Bytes = 4_096;

/** A copy of a partition beside its running writer, in this process; nothing is left of it. */
export async function* partitionStream(
  dataDir: string,
  partition: number,
): AsyncGenerator<Uint8Array> {
  const folder = await mkdtemp(join(dataDir, 'copy-'));
  try {
    await copyPartition(dataDir, partition, folder);
    yield* copyStream(partitionPath(folder, partition));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Every file below a folder that nobody changes meanwhile. */
export async function* copyStream(folder: string): AsyncGenerator<Uint8Array> {
  const sum = createHash('sha256');
  for (const path of await filesBelow(folder)) {
    const { size: bytes } = await stat(join(folder, path));
    const line = lineOf({ path, bytes } satisfies FileLine);
    sum.update(line);
    yield line;
    for await (const chunk of createReadStream(join(folder, path)) as AsyncIterable<Buffer>) {
      sum.update(chunk);
      yield chunk;
    }
  }
  yield lineOf({ sha256: sum.digest('hex') } satisfies EndLine);
}

/** Writes the files below `into`, durably and all at once; else throws, and leaves nothing. */
export async function receiveCopy(stream: Readable, into: string): Promise<void> {
  const coming = `${into}.part`;
  await rm(coming, { recursive: true, force: true });
  await mkdir(coming, { recursive: true, mode: 0o700 });
  try {
    await receiveFiles(new StreamReader(stream), coming);
    await syncTree(coming);
    await rm(into, { recursive: true, force: true });
    await rename(coming, into);
    await syncFile(dirname(into));
  } finally {
    stream.destroy();
    await rm(coming, { recursive: true, force: true });
  }
}

async function receiveFiles(reader: StreamReader, folder: string): Promise<void> {
  const sum = createHash('sha256');
  for (;;) {
    const line = await reader.line();
    const said = JSON.parse(line.toString()) as Partial<FileLine & EndLine>;
    if (said.sha256 !== undefined) {
      if (said.sha256 !== sum.digest('hex')) throw new Error('the copy was changed on its way');
      return;
    }
    sum.update(line);
    const { path = '', bytes = -1 } = said;
    // Whoever sends has our key; a path that leaves the folder is a bug all the same.
    if (path === '' || isAbsolute(path) || normalize(path) !== path || path.startsWith('..'))
      throw new Error(`the copy has a file ${JSON.stringify(path)}`);
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const file = createWriteStream(target, { mode: 0o600 });
    for await (const chunk of reader.bytes(bytes)) {
      sum.update(chunk);
      if (!file.write(chunk))
        await new Promise((resolve) => file.once('drain', () => resolve(undefined)));
    }
    await new Promise<void>((resolve, reject) => {
      file.once('error', reject);
      file.end(resolve);
    });
  }
}

function lineOf(said: FileLine | EndLine): Buffer {
  return Buffer.from(`${JSON.stringify(said)}\n`);
}

/** Lines and counted bytes of one stream. */
class StreamReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: Readable) {
    this.#chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** With its end. */
  async line(): Promise<Buffer> {
    for (;;) {
      const end = this.#rest.indexOf(10) + 1;
      if (end > 0) return this.#take(end);
      if (this.#rest.length > lineBytesMax) throw new Error('the copy has a line without an end');
      this.#rest = Buffer.concat([this.#rest, await this.#next()]);
    }
  }

  async *bytes(count: Bytes): AsyncGenerator<Buffer> {
    if (!(count >= 0)) throw new Error('the copy has a file without a size');
    for (let left = count; left > 0; ) {
      if (this.#rest.length === 0) this.#rest = await this.#next();
      const chunk = this.#take(Math.min(left, this.#rest.length));
      left -= chunk.length;
      yield chunk;
    }
  }

  #take(count: number): Buffer {
    const taken = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(count);
    return taken;
  }

  async #next(): Promise<Buffer> {
    const { done, value } = await this.#chunks.next();
    if (done) throw new Error('the copy was cut off');
    return value;
  }
}
