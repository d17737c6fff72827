// A whole message that a service was given, as its reader sees it.

import { contentOfMail, idsOfSource } from '../email/mail-content.ts';
import type { Verdict, World } from '../stand-in.ts';

interface RawMail {
  readonly from: string;
  readonly subject: string;
  /** Without angle brackets; empty if there is none. */
  readonly messageId: string;
  readonly message: Required<Verdict>['message'];
}

export function rawMail(source: Buffer, { zone }: Pick<World, 'zone'>): RawMail {
  const header = source.toString('latin1', 0, Math.max(source.indexOf('\r\n\r\n'), 0));
  const field = (name: string) =>
    new RegExp(`^${name}: ?(.*)`, 'im').exec(header)?.[1]?.trim() ?? '';
  const keysAt = (name: string) => {
    const found = zone.resolve(name, 'TXT');
    if (found.status !== 'ok') return [];
    return found.records.flatMap(({ type, value }) => (type === 'TXT' ? value : []));
  };
  return {
    from: field('From'),
    subject: field('Subject'),
    messageId: field('Message-ID').replace(/^<|>$/g, ''),
    message: { ...idsOfSource(source), read: () => contentOfMail(source, keysAt) },
  };
}
