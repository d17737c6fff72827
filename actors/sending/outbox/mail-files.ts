// What goes with an email at its attempt: the bytes of its files, and its copies. A file crosses to
// dispatch threads as shared memory, so that a thousand mails with one file have one copy of it.

import type { DocumentReader } from '../../../engine/actor/message.ts';
import type { Bytes, Ordinal } from '../../../engine/base/brand.ts';
import { DamagedRecord, orDamaged } from '../../../storage/codec.ts';
import { fileBytes, files } from '../../../storage/tables/file.ts';
import type { Attempt, MailParts, RenderedContent } from '../../channels/port/attempt.ts';
import { readPieces } from '../../content/files/pieces.ts';
import { readRow } from '../../readable-row.ts';
import type { MailCopies } from './copies.ts';
import type { SendsView } from './reads.ts';

/** What a shard keeps for the next mails. Those in flight keep their own. */
const cachedBytesMax: Bytes = 16 * 1024 * 1024;
/** Of the files of one app's mails in flight, if all are as large as the next. */
const inFlightBytesMax: Bytes = 64 * 1024 * 1024;

/** Files that a shard has read, the latest used ones, in memory that threads share. */
export class SharedFiles {
  readonly #files = new Map<string, Uint8Array>();
  #bytes = 0;

  /** `undefined`: it is not stored. */
  of(owner: Ordinal, hash: string, reader: DocumentReader): Uint8Array | DamagedRecord | undefined {
    const key = `${owner}|${hash}`;
    const known = this.#files.get(key);
    if (known !== undefined) {
      this.#files.delete(key);
      this.#files.set(key, known);
      return known;
    }
    const row = readRow(reader, files, [hash]);
    if (row === undefined || row instanceof DamagedRecord) return row;
    const shared = new Uint8Array(new SharedArrayBuffer(row.bytes));
    const read = orDamaged(() => readPieces(fileBytes, hash, shared, reader));
    if (read instanceof DamagedRecord) return read;
    if (!read) return undefined;
    this.#keep(key, shared);
    return shared;
  }

  #keep(key: string, file: Uint8Array): void {
    this.#files.set(key, file);
    this.#bytes += file.byteLength;
    for (const [oldest, { byteLength }] of this.#files) {
      if (this.#bytes <= cachedBytesMax || oldest === key) return;
      this.#files.delete(oldest);
      this.#bytes -= byteLength;
    }
  }
}

/** Whether a mail with files must wait until some of those in flight have ended. */
export function mustWaitForFiles({ mail }: RenderedContent, inFlight: number): boolean {
  return inFlight > 0 && (inFlight + 1) * bytesOf(mail) > inFlightBytesMax;
}

function bytesOf(mail: MailParts | undefined): Bytes {
  return mail?.attachments?.reduce((sum, { bytes }) => sum + bytes, 0) ?? 0;
}

/** The content, files and copies of an email's attempt, or a file that cannot be read. */
export function mailOf(
  app: Pick<SendsView, 'record'>,
  content: RenderedContent,
  copies: MailCopies,
  files: SharedFiles,
  reader: DocumentReader,
): Pick<Attempt, 'content' | 'files'> | DamagedRecord {
  const { mail } = content;
  if (mail === undefined) return { content };
  const read: Record<string, Uint8Array> = {};
  for (const { hash } of mail.attachments ?? []) {
    const file = files.of(app.record.ordinal, hash, reader);
    if (file instanceof DamagedRecord) return file;
    // Without one the adapter says that it is missing.
    if (file !== undefined) read[hash] = file;
  }
  const { cc: _cc, bcc: _bcc, ...rest } = mail;
  return {
    content: { ...content, mail: { ...rest, ...copies } },
    ...(mail.attachments === undefined ? {} : { files: read }),
  };
}
