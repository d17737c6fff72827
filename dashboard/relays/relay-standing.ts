// Which relay sends a stream now: the first in their order that can, as the server chooses.

import type { Relay } from '../api/generated.ts';

export const streams = ['transactional', 'marketing'] as const;
export type Stream = (typeof streams)[number];

export interface Sending {
  readonly stream: Stream;
  /** `undefined`: the server's own. */
  readonly by: Relay | undefined;
  /** Those before it, which cannot send now. */
  readonly out: readonly Relay[];
}

/** `undefined` for a stream that no relay of the list is for. */
export function sendingOf(relays: readonly Relay[], stream: Stream): Sending | undefined {
  const theirs = inOrder(relays).filter((one) => one.enabled && one.streams.includes(stream));
  if (theirs.length === 0) return undefined;
  const at = theirs.findIndex(canSend);
  return {
    stream,
    by: theirs[at],
    out: at < 0 ? theirs : theirs.slice(0, at),
  };
}

/** Of two alike the older one comes first. */
export function inOrder(relays: readonly Relay[]): readonly Relay[] {
  return relays.toSorted(
    (one, other) =>
      one.order - other.order || Date.parse(one.createdAt) - Date.parse(other.createdAt),
  );
}

export function isUsedUp({ perDay, health }: Pick<Relay, 'perDay' | 'health'>): boolean {
  return perDay !== null && health.callsToday >= perDay;
}

function canSend(one: Relay): boolean {
  return one.health.state === 'ok' && !isUsedUp(one);
}
