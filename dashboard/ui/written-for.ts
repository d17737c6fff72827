// The channels a message is written for: as it says itself, or because nothing else shows it well.
// What is made of it starts with them. No DOM types here.

import type { Channel } from '../api/generated.ts';

interface Written {
  readonly writtenFor?: readonly Channel[];
  readonly design?: unknown;
  readonly body?: string;
  readonly payload?: Readonly<Record<string, unknown>>;
}

/** Their payload replaces the words, and no other channel reads it. */
const withTemplates: readonly Channel[] = ['whatsapp', 'zalo', 'kakao'];

/** `undefined`: for every channel. */
export function writtenForOf(message: Written): readonly Channel[] | undefined {
  const { writtenFor, design, body = '', payload = {} } = message;
  if (writtenFor !== undefined) return writtenFor;
  if (design !== undefined || isHtml(body)) return ['email'];
  const templates = withTemplates.filter((channel) => payload[channel] !== undefined);
  return body === '' && templates.length === 1 ? templates : undefined;
}

/** A text that the server takes for HTML. */
export function isHtml(body: string): boolean {
  return /<[a-z!/][^>]*>/i.test(body);
}
