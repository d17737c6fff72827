// What tells an entry of a story from the others: it has no id of its own.

import type { StoryEntry } from './generated.ts';

export function entryKey({ at, code, sendId, deviceId, eventId, step }: StoryEntry): string {
  return [at, code, sendId, deviceId, eventId, step].join(' ');
}
