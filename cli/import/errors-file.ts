// The `--errors` file, JSON Lines: `{"line", "reason"}` for a skipped line, with `lines` and
// `error` for a refused row or device. A resumed import continues at its state's length, so no line
// repeats.

import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  statSync,
  writeSync,
} from 'node:fs';

/** Without address or user, so that it may be shared. */
interface ImportProblem {
  readonly file?: string;
  readonly line: number;
  readonly reason: string;
  /** The row's lines, if several. */
  readonly lines?: number;
  readonly error?: string;
}

const bufferBytes = 64 * 1024;

export class ErrorsFile {
  readonly #fd: number;
  #text = '';
  #size: number;
  /** A continued run has the skipped lines already. */
  readonly isContinued: boolean;

  /** `from`: length left by an earlier run; a shorter file starts over. */
  constructor(path: string, from: number | undefined) {
    this.isContinued = from !== undefined && existsSync(path) && statSync(path).size >= from;
    this.#fd = openSync(path, this.isContinued ? 'r+' : 'w', 0o600);
    this.#size = this.isContinued && from !== undefined ? from : 0;
    ftruncateSync(this.#fd, this.#size);
  }

  add(problem: ImportProblem): void {
    this.#text += `${JSON.stringify(problem)}\n`;
    if (this.#text.length >= bufferBytes) this.#flush();
  }

  /** Makes it durable; returns its length. */
  sync(): number {
    if (this.#text !== '') {
      this.#flush();
      fsyncSync(this.#fd);
    }
    return this.#size;
  }

  close(): void {
    this.sync();
    closeSync(this.#fd);
  }

  #flush(): void {
    const bytes = Buffer.from(this.#text, 'utf8');
    for (let written = 0; written < bytes.length; )
      written += writeSync(this.#fd, bytes, written, bytes.length - written, this.#size + written);
    this.#size += bytes.length;
    this.#text = '';
  }
}
