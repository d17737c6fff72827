// What counts as a change of a message or template for those who edit it: all that they wrote.

import { etagOf } from '../../etag.ts';

interface Written {
  readonly id: string;
  readonly name?: string;
  readonly content: object;
  readonly design?: object;
  readonly writtenFor?: readonly string[];
}

/** Answers add members, such as who uses a message. */
export function contentEtag({ id, name, content, design, writtenFor }: Written): string {
  return etagOf({ id, name, content, design, writtenFor });
}
