// The file of `--errors`, as JSON Lines: `{"line", "reason"}` for a skipped line, with `lines` and
// `error` for a row that the server refused. A resumed import continues at the length in its state
// file, so that no line is listed twice.

import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  statSync,
  writeSync,
} from 'node:fs';

/** One line of the file. It names no address and no user, so that it may be passed on. */
interface ImportProblem {
  readonly line: number;
  readonly reason: string;
  /** The lines of the export in the refused row, if there are several. */
  readonly lines?: number;
  readonly error?: string;
}

const bufferBytes = 64 * 1024;

export class ErrorsFile {
  readonly #fd: number;
  #text = '';
  #size: number;
  /** Whether it continues an earlier run, so that it has the skipped lines already. */
  readonly isContinued: boolean;

  /** `from` is the length that an earlier run left; if the file is shorter, it begins anew. */
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
