// The facts of journey entries: enrollments, suppressed and held sends, and ends. Sends have no
// event here; their receipts do.

import type { Millis } from '../../../engine/base/brand.ts';
import { unpackOrdinals } from '../../../engine/base/ordinal-list.ts';
import {
  CodedRows,
  EntryFacts,
  type NumberedDraft,
  noFacts,
  type WantsName,
} from '../../events/log/entry-facts.ts';
import type { FactRows } from '../../events/log/fact-rows.ts';
import { isDeferral } from '../../sending/dispatch/entries.ts';
import type { Move, RunsMoved } from './entries.ts';

interface MoveEvent {
  readonly name: string;
  /** Besides the journey. */
  readonly meta?: Readonly<Record<string, string>>;
}

/** The events of one person's move, in order. */
export function eventsOfMove({ enrolls, happened, outcome }: Move): readonly MoveEvent[] {
  const events: MoveEvent[] = [];
  if (enrolls) events.push({ name: 'journey_enrolled' });
  for (const one of happened) {
    if (one.kind === 'suppressed')
      events.push({ name: 'suppressed', meta: { reason: one.reason } });
    else if (one.kind === 'held' && isDeferral(one.reason)) {
      const { reason, untilMs } = one;
      events.push({ name: 'deferred', meta: { reason, until: new Date(untilMs).toISOString() } });
    }
  }
  if (outcome.kind === 'converted') events.push({ name: 'journey_converted' });
  if (outcome.kind === 'completed') events.push({ name: 'journey_completed' });
  return events;
}

const moveNames = [
  'journey_enrolled',
  'suppressed',
  'deferred',
  'journey_converted',
  'journey_completed',
];

class MovedFacts extends EntryFacts {
  readonly #entry: RunsMoved;
  #rows: CodedRows | undefined;

  constructor(entry: RunsMoved) {
    super();
    this.#entry = entry;
  }

  override rows(): FactRows {
    this.#rows ??= rowsOf(this.#entry);
    return this.#rows;
  }

  override acceptedMs(): Millis {
    return this.#entry.atMs;
  }

  override mayEnroll(): boolean {
    return false;
  }

  override drafts(wants?: WantsName): readonly NumberedDraft[] {
    const { moves, codes, atMs, journeyId, firstEvent } = this.#entry;
    const kinds = moves.map((move) =>
      eventsOfMove(move).map(({ name, meta }) => ({
        name,
        atMs,
        journeyId,
        ...(meta === undefined ? {} : { metaJson: JSON.stringify({ ...meta, journeyId }) }),
      })),
    );
    const drafts: NumberedDraft[] = [];
    let seq = firstEvent;
    unpackOrdinals(this.#entry.people).forEach((person, i) => {
      for (const kind of kinds[codes?.[i] ?? 0] ?? []) {
        if (wants?.(kind.name) !== false) drafts.push({ ...kind, person, seq });
        seq++;
      }
    });
    return drafts;
  }
}

function rowsOf({ people: packed, moves, codes, atMs }: RunsMoved): CodedRows {
  const places = moves.map((move) => eventsOfMove(move).map(({ name }) => moveNames.indexOf(name)));
  const who: number[] = [];
  const names: number[] = [];
  unpackOrdinals(packed).forEach((person, i) => {
    for (const place of places[codes?.[i] ?? 0] ?? []) {
      who.push(person);
      names.push(place);
    }
  });
  return new CodedRows(moveNames, Uint8Array.from(names), Uint32Array.from(who), atMs);
}

export const journeysFacts = {
  'journey.moved': (entry: RunsMoved) =>
    entry.moves.every((move) => eventsOfMove(move).length === 0) ? noFacts : new MovedFacts(entry),
};
