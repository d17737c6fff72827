// The lines that `--errors` lists, as JSON Lines: `{"line", "reason"}` for a skipped line, with
// `lines` and `error` for a row that the server refused. A resumed import writes on from the length
// in its state file, so that no line is listed twice.

import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  statSync,
  writeSync,
} from 'node:fs';

/** One line of the file. Names no address and no user: it may be shown around. */
interface ImportProblem {
  readonly line: number;
  readonly reason: string;
  /** Lines of the export that the refused row was made of, when there are several. */
  readonly lines?: number;
  readonly error?: string;
}

const bufferBytes = 64 * 1024;

export class ErrorsFile {
  readonly #fd: number;
  #text = '';
  #size: number;
  /**
   * Whether it goes on where an earlier run stopped, so that passed-over lines are in it already.
   */
  readonly isContinued: boolean;

  /**
   * `from` is the length that an earlier run left; when that is not there any more the file begins
   * anew.
   */
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

  /** Makes it durable; gives its length. */
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
