// What a row of the list says, and which messages share one. Pure.

import { dateFormat } from '../time/relative.ts';
import type { ReceivedMessage } from './control.ts';

/** Attempts of one call have the same; a message without a send stands alone. */
export function attemptKey({
  id,
  channel,
  sendId,
  to,
}: Pick<ReceivedMessage, 'id' | 'channel' | 'sendId' | 'to'>): string {
  return sendId === undefined ? `#${id}` : `${channel} ${sendId} ${to}`;
}

/** One list for each call, its attempts newest first; calls in the order of their newest. */
export function groupedByCall(
  messages: readonly ReceivedMessage[],
): readonly (readonly ReceivedMessage[])[] {
  const groups = new Map<string, ReceivedMessage[]>();
  for (const message of messages) {
    const key = attemptKey(message);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [message]);
    else group.push(message);
  }
  return [...groups.values()];
}

/** The beginning of a text, cut between words. */
export function headline(text: string, charactersMax: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= charactersMax) return line;
  const cut = line.slice(0, charactersMax + 1);
  const end = cut.lastIndexOf(' ');
  // Languages without spaces break anywhere, but not within a character.
  const kept = end > charactersMax / 2 ? cut.slice(0, end) : [...cut].slice(0, -2).join('');
  return `${kept.replace(/[\s.,;:–-]+$/, '')} …`;
}

/** A long token by its ends. */
export function shortened(recipient: string): string {
  return recipient.length > 32 && !/[@\s]/.test(recipient)
    ? `${recipient.slice(0, 10)}…${recipient.slice(-6)}`
    : recipient;
}

/** To the second; with the day if it is another. */
export function arrivalTime(at: string): string {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  return dateFormat({
    ...(isToday ? {} : { day: 'numeric', month: 'short' }),
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).format(Date.parse(at));
}

/** Indents JSON; other text is unchanged. Only for reading: what is signed are the bytes. */
export function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
