// Finds the receipts that stand: the newest of each device of a send. A provider may report a
// bounce days after a delivery, and an operator may redrive a failed send; the new receipt corrects
// the first, and both must not be counted. Only people with a bounce or a failure can have
// corrected receipts, so only theirs are compared by send and device; all others, nearly all, are
// counted directly. Receipts of test sends are left out.

import { Bitset } from '../../../engine/base/bitset.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { StoredEvents } from '../../events/log/stored-events.ts';
import { noPerson, type SeenPeople } from '../../events/read/seen-people.ts';
import type { EventSink, StoredWalk } from '../../events/read/stored-walk.ts';
import type { Buckets } from './buckets.ts';
import { isOfTest } from './test-sends.ts';

export const receiptStatuses = ['delivered', 'bounced', 'suppressed', 'failed'] as const;
type ReceiptStatus = (typeof receiptStatuses)[number];

/** Statuses of receipts that may correct an earlier one of the device, or be corrected. */
const correcting: readonly ReceiptStatus[] = ['bounced', 'failed'];

/**
 * A receipt that stands. `channel` is as in `StoredEvents`: 0 for a send that was suppressed before
 * it had one.
 */
type TakeReceipt = (
  status: ReceiptStatus,
  person: PersonOrdinal,
  atMs: Millis,
  channel: number,
) => void;

/** Receipts that are compared together, about 200 bytes each; more are read in parts, by person. */
const comparedReceiptsMax = 262_144;

/**
 * Every standing receipt within these buckets. A bounce counts when it arrived; the delivery that
 * it corrects, wherever it is, does not. `comparedMax` is for tests.
 */
export function standingReceipts(
  walk: StoredWalk,
  people: SeenPeople,
  buckets: Buckets,
  take: TakeReceipt,
  comparedMax = comparedReceiptsMax,
): void {
  const { fromMs } = buckets;
  const doubtful = new Bitset();
  walk.all({ fromMs, names: correcting }, (events, from, to) => {
    for (let row = from; row < to; row++) {
      if (!isCorrecting(events.name(row))) continue;
      const person = people.of(events.person(row));
      if (person !== noPerson) doubtful.set(person);
    }
  });
  const wanted = { fromMs, names: receiptStatuses };
  let compared = new NewestReceipts();
  let seen = 0;
  walk.all(wanted, (...rows) =>
    eachReceipt(rows, people, buckets, (status, person, atMs, events, row) => {
      if (!doubtful.test(person)) take(status, person, atMs, events.channel(row));
      else if (seen++ < comparedMax) compared.add(status, person, atMs, events, row);
    }),
  );
  const parts = Math.ceil(seen / comparedMax);
  if (parts <= 1) {
    compared.tell(take);
    return;
  }
  for (let part = 0; part < parts; part++) {
    compared = new NewestReceipts();
    walk.all(wanted, (...rows) =>
      eachReceipt(rows, people, buckets, (status, person, ...rest) => {
        if (person % parts === part && doubtful.test(person)) compared.add(status, person, ...rest);
      }),
    );
    compared.tell(take);
  }
}

function eachReceipt(
  [events, from, to, span]: Parameters<EventSink>,
  people: SeenPeople,
  buckets: Buckets,
  each: (
    status: ReceiptStatus,
    person: PersonOrdinal,
    atMs: Millis,
    events: StoredEvents,
    row: number,
  ) => void,
): void {
  const isWithin =
    span !== undefined && span.minAtMs >= buckets.fromMs && span.maxAtMs < buckets.endMs;
  for (let row = from; row < to; row++) {
    const status = events.name(row);
    if (!isReceipt(status)) continue;
    const atMs = events.atMs(row);
    if (!isWithin && (atMs < buckets.fromMs || atMs >= buckets.endMs)) continue;
    const person = people.of(events.person(row));
    if (person !== noPerson && !isOfTest(events, row)) each(status, person, atMs, events, row);
  }
}

/** The newest receipt of each device of a send, by event number, which is the order of arrival. */
class NewestReceipts {
  readonly #newest = new Map<string, Kept>();
  /** No send: people that a campaign left out before it made a send. */
  readonly #others: Kept[] = [];

  add(
    status: ReceiptStatus,
    person: PersonOrdinal,
    atMs: Millis,
    events: StoredEvents,
    row: number,
  ): void {
    const kept: Kept = { status, person, atMs, channel: events.channel(row), seq: events.seq(row) };
    const sendId = events.reference(row, 'sendId');
    if (sendId === undefined) {
      this.#others.push(kept);
      return;
    }
    const place = `${sendId} ${events.reference(row, 'deviceId') ?? ''}`;
    const before = this.#newest.get(place);
    if (before === undefined || before.seq < kept.seq) this.#newest.set(place, kept);
  }

  tell(take: TakeReceipt): void {
    for (const kept of [this.#others, this.#newest.values()])
      for (const { status, person, atMs, channel } of kept) take(status, person, atMs, channel);
  }
}

interface Kept {
  readonly status: ReceiptStatus;
  readonly person: PersonOrdinal;
  readonly atMs: Millis;
  readonly channel: number;
  readonly seq: number;
}

function isReceipt(name: string): name is ReceiptStatus {
  return name === 'delivered' || name === 'suppressed' || isCorrecting(name);
}

function isCorrecting(name: string): boolean {
  return name === 'bounced' || name === 'failed';
}
