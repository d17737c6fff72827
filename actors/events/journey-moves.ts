// The events that are stored of one person's move in a journey, in the order in which it happened:
// enrolled, what policy left out or held on the way, and how it ended. Whoever numbers, folds,
// reads or listens to them asks here, so that all agree on how many there are. What a reader would
// get wrong: a send is no event of these; its receipts are, once its devices answer.

import type { Entry } from '../../engine/actor/message.ts';
import type { Millis } from '../../engine/base/brand.ts';
import { isDeferral } from '../sending/dispatch/entries.ts';

/** As much of a move as its events tell; journeys know all of it (`Move` of their entries). */
export interface MoveTold {
  readonly enrolls?: true;
  readonly happened: readonly {
    readonly kind: string;
    readonly reason?: string;
    readonly untilMs?: Millis;
  }[];
  readonly outcome: { readonly kind: string };
}

/** The same of the entry `journey.moved`. */
export interface MovesTold extends Entry {
  readonly journeyId: string;
  readonly atMs: Millis;
  readonly people: Uint8Array;
  readonly moves: readonly MoveTold[];
  readonly codes?: Uint8Array;
  readonly firstEvent: number;
}

export interface MoveEvent {
  readonly name: string;
  /** What is said beside the journey. */
  readonly meta?: Readonly<Record<string, string>>;
}

export function eventsOfMove({ enrolls, happened, outcome }: MoveTold): readonly MoveEvent[] {
  const events: MoveEvent[] = [];
  if (enrolls) events.push({ name: 'journey_enrolled' });
  for (const { kind, reason = '', untilMs = 0 } of happened) {
    if (kind === 'suppressed') events.push({ name: 'suppressed', meta: { reason } });
    else if (kind === 'held' && isDeferral(reason))
      events.push({ name: 'deferred', meta: { reason, until: new Date(untilMs).toISOString() } });
  }
  if (outcome.kind === 'converted') events.push({ name: 'journey_converted' });
  if (outcome.kind === 'completed') events.push({ name: 'journey_completed' });
  return events;
}
