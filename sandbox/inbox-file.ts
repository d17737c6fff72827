// What the inbox holds, kept in two files, so that a server that was killed and started again still
// shows what people got before: a newcomer who kills it in the middle of a campaign looks here for
// each message once. A line is written before the next call is looked at, without a sync: it
// outlives the process, not the machine. What a reader would get wrong: this is no log of
// everything. A file that is full becomes the older one, and the one before that goes.

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

/** A file with more in it is full: several times what a start shows, unless mails are huge. */
const inboxFileBytesMax = 16 * 1024 * 1024;

/** A message as a line has it: its content is read, and its body is text. */
type Line = Omit<Message, 'id' | 'read' | 'exchange'> & {
  readonly content: Content;
  readonly exchange: Omit<Message['exchange'], 'requestBody'> & { readonly requestBody: string };
};

/** A message that is read back; whoever takes it gives it a number. */
type KeptMessage = Omit<Message, 'id'>;

/** The two files of one sandbox. */
export class InboxFile {
  readonly #newer: string;
  readonly #older: string;
  readonly #log: (line: string) => void;
  #open: { readonly descriptor: number; bytes: number } | undefined;
  #isBroken = false;

  /** `directory` is made where it is missing. */
  constructor(directory: string, log: (line: string) => void) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#newer = join(directory, 'inbox.jsonl');
    this.#older = join(directory, 'inbox-before.jsonl');
    this.#log = log;
  }

  /** Everything that is kept, oldest first. A line that was cut short by a kill is left out. */
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

  /** Keeps a message. Whatever keeps it from being written keeps no provider from answering. */
  add({ id: _id, read: _read, exchange, ...message }: Message, content: Content): void {
    const requestBody = exchange.requestBody.toString('base64');
    const line: Line = { ...message, content, exchange: { ...exchange, requestBody } };
    // The line break goes first: what a kill cut short spoils no line after it.
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
