// The inbox in two files, so that a restarted server still shows earlier messages, for example
// after a kill in mid-campaign. A line is written before the next call is read, without a sync: it
// survives the process, not the machine. Not complete: a full file replaces the older one.

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

/** Full above this: several times what a start shows, unless mails are huge. */
const inboxFileBytesMax = 16 * 1024 * 1024;

/** A line with read content and a text body. */
type Line = Omit<Message, 'id' | 'read' | 'exchange'> & {
  readonly content: Content;
  readonly exchange: Omit<Message['exchange'], 'requestBody'> & { readonly requestBody: string };
};

/** Read back; the ledger numbers it. */
type KeptMessage = Omit<Message, 'id'>;

export class InboxFile {
  readonly #newer: string;
  readonly #older: string;
  readonly #log: (line: string) => void;
  #open: { readonly descriptor: number; bytes: number } | undefined;
  #isBroken = false;

  /** Creates `directory` if missing. */
  constructor(directory: string, log: (line: string) => void) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#newer = join(directory, 'inbox.jsonl');
    this.#older = join(directory, 'inbox-before.jsonl');
    this.#log = log;
  }

  /** Oldest first. Skips a line that a kill cut. */
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

  /** A write error does not stop the provider's response. */
  add({ id: _id, read: _read, exchange, ...message }: Message, content: Content): void {
    const requestBody = exchange.requestBody.toString('base64');
    const line: Line = { ...message, content, exchange: { ...exchange, requestBody } };
    // The line break comes first, so a cut line spoils no later one.
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
