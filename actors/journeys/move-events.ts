// The events that are stored of one person's move, in the order in which it happened: enrolled, what policy left out or held
// on the way, and how it ended. Whoever numbers, folds, reads or listens to them asks here, so that all agree on how many there
// are. What a reader would get wrong: a send is no event of these; its receipts are, once its devices answer.

import { isDeferral } from '../campaigns/deferral.ts';
import type { Move } from './entries.ts';

export interface MoveEvent {
  readonly name: string;
  /** What is said beside the journey. */
  readonly meta?: Readonly<Record<string, string>>;
}

export function eventsOfMove({ enrolls, happened, outcome }: Move): readonly MoveEvent[] {
  const events: MoveEvent[] = [];
  if (enrolls) events.push({ name: 'journey_enrolled' });
  for (const one of happened) {
    if (one.kind === 'suppressed')
      events.push({ name: 'suppressed', meta: { reason: one.reason } });
    else if (one.kind === 'held' && isDeferral(one.reason)) {
      const until = new Date(one.untilMs).toISOString();
      events.push({ name: 'deferred', meta: { reason: one.reason, until } });
    }
  }
  if (outcome.kind === 'converted') events.push({ name: 'journey_converted' });
  if (outcome.kind === 'completed') events.push({ name: 'journey_completed' });
  return events;
}
