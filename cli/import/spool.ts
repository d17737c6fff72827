// Reorders records: written as they come, read by part, in blocks of one file. The open file has no
// name, so a killed process leaves nothing. Beside the state file, because /tmp may be memory.

import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const blockBytes = 32 * 1024;

/** A 256th of an export is small enough to merge in memory. */
export const partCount = 256;

interface Block {
  readonly at: number;
  readonly length: number;
}

export class Spool {
  readonly #fd: number;
  readonly #filling: string[] = new Array<string>(partCount).fill('');
  readonly #blocks: readonly Block[][] = Array.from({ length: partCount }, () => []);
  #size = 0;

  /** `directory` needs room for about the unpacked export. */
  constructor(directory: string) {
    const path = join(directory, `.engage-import-${process.pid}`);
    this.#fd = openSync(path, 'wx+', 0o600);
    unlinkSync(path);
  }

  /** A record is a text without line ends. */
  add(part: number, record: string): void {
    const filled = `${this.#filling[part]}${record}\n`;
    this.#filling[part] = filled;
    if (filled.length >= blockBytes) this.#flush(part);
  }

  /** In the order added. */
  *records(part: number): Generator<string> {
    for (const { at, length } of this.#blocks[part] ?? []) {
      const bytes = Buffer.allocUnsafe(length);
      for (let read = 0; read < length; ) {
        const got = readSync(this.#fd, bytes, read, length - read, at + read);
        if (got === 0) throw new Error('the spool file is incomplete.');
        read += got;
      }
      yield* lines(bytes.toString('utf8'));
    }
    yield* lines(this.#filling[part] ?? '');
  }

  close(): void {
    closeSync(this.#fd);
  }

  #flush(part: number): void {
    const bytes = Buffer.from(this.#filling[part] ?? '', 'utf8');
    for (let written = 0; written < bytes.length; )
      written += writeSync(this.#fd, bytes, written, bytes.length - written, this.#size + written);
    this.#blocks[part]?.push({ at: this.#size, length: bytes.length });
    this.#size += bytes.length;
    this.#filling[part] = '';
  }
}

function* lines(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from);
    yield text.slice(from, end);
    from = end + 1;
  }
}
