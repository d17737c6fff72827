// A mail as JSON, encoded once: as text it would have two bytes a character as soon as a name or a
// subject is not Latin, and a call turns it into bytes anyway. Files stand last, in base64 that is
// made while the call is written. Pure.

import { base64Length, base64Slices, type MailAttachment } from '../email/attached.ts';
import type { Mail } from '../email/mime.ts';
import type { PiecedBody } from '../outbound/pieced-body.ts';

/** A mail as a service wants it. */
export interface JsonMail {
  readonly fields: object;
  readonly files: JsonFiles | undefined;
}

/** Its files: a list of objects. */
interface JsonFiles {
  /** The member of the mail with the list. */
  readonly member: string;
  /** The member of a file with its base64. */
  readonly content: string;
  readonly files: readonly MailAttachment[];
  /** The other members of a file, at least one. */
  readonly about: (file: MailAttachment) => object;
}

export function hasFiles({ attachments = [] }: Pick<Mail, 'attachments'>): boolean {
  return attachments.length > 0;
}

export function jsonBody({ fields, files: given }: JsonMail): Buffer | FiledBody {
  const json = JSON.stringify(fields);
  if (given === undefined || given.files.length === 0) return Buffer.from(json);
  const { member, content, files, about } = given;
  return new FiledBody([
    ...files.flatMap((file, n) => {
      const before = n === 0 ? `${json.slice(0, -1)},"${member}":[` : '"},';
      const head = `${before}${JSON.stringify(about(file)).slice(0, -1)},"${content}":"`;
      return [Buffer.from(head), file];
    }),
    Buffer.from('"}]}'),
  ]);
}

/** JSON around files. */
class FiledBody implements PiecedBody {
  readonly #parts: readonly (Buffer | MailAttachment)[];
  readonly bytes: number;

  constructor(parts: readonly (Buffer | MailAttachment)[]) {
    this.#parts = parts;
    this.bytes = parts.reduce(
      (sum, part) =>
        sum + ('content' in part ? base64Length(part.content.byteLength) : part.byteLength),
      0,
    );
  }

  *[Symbol.iterator](): Generator<Uint8Array> {
    for (const part of this.#parts)
      if ('content' in part) yield* base64Slices([part.content]);
      else yield part;
  }
}

export function bytesOfBody(body: Buffer | PiecedBody): number {
  return 'bytes' in body ? body.bytes : body.byteLength;
}

const [opened, comma, closed] = ['[', ',', ']'].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
];

/** The body of a call: one mail, or a list of those without files. */
export function bodyOfCall(
  items: readonly { readonly json: Buffer | PiecedBody }[],
): Buffer | PiecedBody {
  const [only] = items;
  if (items.length === 1 && only !== undefined) return only.json;
  const pieces = items.flatMap(({ json }) => [comma, ...('bytes' in json ? json : [json])]);
  return Buffer.concat([opened, ...pieces.slice(1), closed]);
}
