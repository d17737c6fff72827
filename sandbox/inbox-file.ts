// Keeps the inbox in two files, so that a killed and restarted server still shows what people got
// before: somebody who kills it in the middle of a campaign looks here for each message once. A
// line is written before the next call is read, without a sync: it survives the process, not the
// machine. It is not a complete log: a full file becomes the older one, and the previous older one
// is deleted.

import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Content, Message } from './message.ts';

/** A file above this is full: several times what a start shows, unless mails are huge. */
const inboxFileBytesMax = 16 * 1024 * 1024;

/** A message as a line: its content is read, and its body is text. */
type Line = Omit<Message, 'id' | 'read' | 'exchange'> & {
  readonly content: Content;
  readonly exchange: Omit<Message['exchange'], 'requestBody'> & { readonly requestBody: string };
};

/** A message read back; the ledger numbers it. */
type KeptMessage = Omit<Message, 'id'>;

/** The two files of one sandbox. */
export class InboxFile {
  readonly #newer: string;
  readonly #older: string;
  readonly #log: (line: string) => void;
  #open: { readonly descriptor: number; bytes: number } | undefined;
  #isBroken = false;

  /** Creates `directory` if it is missing. */
  constructor(directory: string, log: (line: string) => void) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#newer = join(directory, 'inbox.jsonl');
    this.#older = join(directory, 'inbox-before.jsonl');
    this.#log = log;
  }

  /** All kept messages, oldest first. Skips a line that a kill cut short. */
  *read(): Generator<KeptMessage> {
    for (const path of [this.#older, this.#newer]) {
      let text = '';
      this.#try(() => {
        if (existsSync(path)) text = readFileSync(path, 'utf8');
      });
      for (const line of text.split('\n')) {
        const message = parsed(line);
        if (message !== undefined) yield message;
      }
    }
  }

  /** Keeps a message. A failure to write does not stop the provider from responding. */
  add({ id: _id, read: _read, exchange, ...message }: Message, content: Content): void {
    const requestBody = exchange.requestBody.toString('base64');
    const line: Line = { ...message, content, exchange: { ...exchange, requestBody } };
    // The line break goes first, so that a line cut short spoils no line after it.
    this.#try(() => {
      const text = `\n${JSON.stringify(line)}`;
      if (this.#open !== undefined && this.#open.bytes > inboxFileBytesMax) {
        this.close();
        renameSync(this.#newer, this.#older);
      }
      this.#open ??= opened(this.#newer);
      this.#open.bytes += writeSync(this.#open.descriptor, text);
    });
  }

  /** Forgets everything. */
  clear(): void {
    this.#try(() => {
      this.close();
      for (const path of [this.#older, this.#newer]) rmSync(path, { force: true });
    });
  }

  close(): void {
    if (this.#open !== undefined) closeSync(this.#open.descriptor);
    this.#open = undefined;
  }

  #try(act: () => void): void {
    if (this.#isBroken) return;
    try {
      act();
    } catch (error) {
      this.#isBroken = true;
      this.#log(`the inbox is no longer kept on disk: ${String(error)}`);
    }
  }
}

function opened(path: string) {
  const descriptor = openSync(path, 'a', 0o600);
  return { descriptor, bytes: fstatSync(descriptor).size };
}

function parsed(line: string): KeptMessage | undefined {
  try {
    const { content, exchange, ...message } = JSON.parse(line) as Line;
    const requestBody = Buffer.from(exchange.requestBody, 'base64');
    return { ...message, exchange: { ...exchange, requestBody }, read: () => content };
  } catch {
    return undefined;
  }
}
