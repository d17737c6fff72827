// Our own name of a mail, as services echo it in their events: send and device, in letters, digits,
// `_` and `-`, which every service takes in a tag. Pure.

import type { Ordinal } from '../../../engine/base/brand.ts';
import { parseId } from '../../../engine/base/id.ts';

interface MarkedMail {
  readonly sendId: string;
  readonly deviceId: string;
}

/** The member of tags, metadata or headers that has the mark. */
export const mailMarkName = 'engage';

export function mailMark({ sendId, deviceId }: MarkedMail): string {
  return `${sendId}-${deviceId}`;
}

/** The mail that a mark names, and its app; `undefined` if it is none of ours. */
export function readMailMark(mark: unknown): (MarkedMail & { readonly app: Ordinal }) | undefined {
  if (typeof mark !== 'string' || mark.length > 100) return undefined;
  const [sendId = '', deviceId = '', ...more] = mark.split('-');
  const send = parseId('ntf', sendId);
  if (send === undefined || more.length > 0) return undefined;
  const device = parseId('dev', deviceId);
  return device === undefined ? undefined : { sendId, deviceId, app: send.ordinal };
}
