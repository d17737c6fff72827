// Switches journeys on and off. Going live copies what it sends, listens for its event, and follows
// its segment. Only people who enter the segment later enroll, unless `enrollExisting` asks for its
// members. With `replaces` one decision saves both journeys, so an event finds either the one or
// the other, and a crash leaves no half.

import {
  accepted,
  type Context,
  type Decision,
  type Entry,
  refused,
} from '../../../engine/actor/message.ts';
import { Bitset } from '../../../engine/base/bitset.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { audienceOf } from '../../audiences/segments/evaluate.ts';
import type { CountedTimes, SegmentsEntry } from '../../audiences/segments/protocol.ts';
import { stillUncounted } from '../../audiences/segments/uncounted-times.ts';
import { withTimes } from '../../audiences/segments/with-traits.ts';
import { fault, unknownId } from '../../faults.ts';
import { limits } from '../../limits.ts';
import { journeyCopies, messagesFault } from './copies.ts';
import type { JourneysEntry } from './entries.ts';
import type { Journey } from './journeys.ts';
import type { JourneysView } from './memory.ts';
import type { JourneyRecord } from './records.ts';

interface Activation {
  readonly enrollExisting?: boolean | undefined;
  readonly times?: CountedTimes | undefined;
  /** The live journey whose place it takes. */
  readonly replaces?: string | undefined;
}

/** As `activate`; the journey that `replaces` names goes off. */
export function activateInPlace(
  app: JourneysView,
  journey: Journey,
  record: JourneyRecord,
  { replaces, ...switched }: Activation,
  context: Context,
): Decision<JourneyRecord> {
  if (replaces === undefined) return activate(app, journey, record, switched, context);
  const judged = replaced(app, record.id, replaces);
  if ('fault' in judged) return refused(judged.fault);
  const { old } = judged;
  if (old === undefined) return activate(app, journey, record, switched, context);
  const on = activate(app, journey, record, { ...switched, replaces }, context);
  if (on.outcome === 'refused') return on;
  const off = deactivate({ ...old, updatedMs: context.nowMs, replacedBy: record.id }, context);
  if (off.outcome === 'refused') return off;
  const entries = [...(on.entries ?? []), ...(off.entries ?? [])];
  return accepted(on.reply, { ...on, entries });
}

/** `undefined` for one whose place it took before, so that a retried call succeeds. */
function replaced(
  { journeys }: JourneysView,
  id: string,
  replaces: string,
): { readonly old: JourneyRecord | undefined } | { readonly fault: Fault } {
  const old = journeys.get(replaces)?.record;
  if (old === undefined) return { fault: unknownId('replaces', 'journey', replaces) };
  if (old.id === id) return { fault: fieldFault('replaces', 'a journey cannot replace itself') };
  if (old.active) return { old };
  if (old.replacedBy === id) return { old: undefined };
  return {
    fault: fault(
      'wrong_state',
      'replaces: this journey is not live, so there is nothing to replace. Omit it to activate yours alone',
      { field: 'replaces' },
    ),
  };
}

/** If already live: enrolls existing members if asked, and releases runs held by a restore. */
function activate(
  app: JourneysView,
  { record: before, heldMs }: Journey,
  record: JourneyRecord,
  { enrollExisting = false, times, replaces }: Activation,
  context: Context,
): Decision<JourneyRecord> {
  const { owner, nowMs } = context;
  const { triggerSegmentId, triggerEvent } = record;
  if (enrollExisting && triggerSegmentId === undefined)
    return refused(
      fieldFault(
        'enrollExisting',
        'can only be used with triggerSegmentId; there is nobody to enroll from an event trigger',
      ),
    );
  const filter =
    triggerSegmentId === undefined ? undefined : app.segments.get(triggerSegmentId)?.filter;
  const traits = withTimes(app.traits, times);
  const waiting = filter && stillUncounted([filter], traits);
  if (waiting !== undefined) return refused(waiting);
  // Evaluated once, for the first follower of the segment and for `enrollExisting`.
  const members =
    filter === undefined || (before.active && !enrollExisting)
      ? undefined
      : audienceOf(filter, traits, nowMs).snapshot();
  const saving = {
    ...(enrollExisting ? awaitedOf(app, triggerSegmentId, members) : {}),
    ...(replaces === undefined ? {} : { replaces }),
  };
  if (before.active) {
    const journey = { ...record, active: true };
    const entry: JourneysEntry = { kind: 'journey.saved', owner, journey, ...saving };
    const { id } = journey;
    const released: JourneysEntry = { kind: 'journeys.released', owner, ids: [id] };
    return accepted(journey, { entries: heldMs > 0 ? [entry, released] : [entry] });
  }
  const crowded = crowdedFault(app, triggerEvent, replaces);
  if (crowded !== undefined) return refused(crowded);
  // A message may have changed since the steps were checked.
  const wrong = messagesFault(record, context);
  if (wrong !== undefined)
    return refused(fault('wrong_state', `this journey cannot go live: ${wrong.message}`));
  const copies = journeyCopies(record, context);
  if ('fault' in copies) return refused(copies.fault);
  const { documents, copied, ttlMs } = copies;
  const { copies: _corrected, replacedBy: _successor, ...fresh } = record;
  const journey: JourneyRecord = { ...fresh, active: true, copied, ttlMs };
  const saved: JourneysEntry = { kind: 'journey.saved', owner, journey, ...saving };
  const entries: Entry[] = [saved];
  if (triggerSegmentId !== undefined && members !== undefined) {
    const isFirst = !app.watches.has(triggerSegmentId);
    const watched: SegmentsEntry = {
      kind: 'segment.watched',
      owner,
      segmentId: triggerSegmentId,
      follower: followerOf(journey),
      ...(isFirst ? { members } : {}),
    };
    entries.push(watched);
  }
  return accepted(journey, { entries, documents });
}

/** Too many listen for the event, one that goes off in this decision not counted. */
function crowdedFault(
  { journeys }: JourneysView,
  triggerEvent: string | undefined,
  replaces: string | undefined,
): Fault | undefined {
  const live = triggerEvent === undefined ? undefined : journeys.listeners.to(triggerEvent);
  if (live === undefined) return undefined;
  const leaves = replaces !== undefined && live.triggered.has(replaces) ? 1 : 0;
  if (live.triggered.size - leaves < limits.journeysAnEventMax) return undefined;
  return fault(
    'limit_reached',
    `at most ${limits.journeysAnEventMax} live journeys may share a triggerEvent; pause one with "${triggerEvent}" first`,
    { field: 'triggerEvent' },
  );
}

/** The members, without those held back because only calls without proof put them there. */
function awaitedOf(
  { watches }: JourneysView,
  segmentId: string | undefined,
  members: Uint8Array | undefined,
): { readonly awaited?: Uint8Array } {
  if (members === undefined) return {};
  const held = watches.get(segmentId ?? '')?.unproven;
  const awaited = held && Bitset.restore(members).andNot(held).snapshot();
  return { awaited: awaited ?? members };
}

/** Runs find out at their next wake; sends in the outbox end now. */
export function deactivate(
  record: JourneyRecord,
  { owner }: Pick<Context, 'owner'>,
): Decision<JourneyRecord> {
  const journey = { ...record, active: false };
  const saved: JourneysEntry = { kind: 'journey.saved', owner, journey };
  const entries: Entry[] = [saved];
  const { triggerSegmentId: segmentId } = record;
  if (segmentId !== undefined) {
    const kind = 'segment.unwatched';
    const entry: SegmentsEntry = { kind, owner, segmentId, follower: followerOf(record) };
    entries.push(entry);
  }
  return accepted(journey, { entries });
}

/** The journey's name among the followers of a segment. */
function followerOf({ id }: Pick<JourneyRecord, 'id'>): string {
  return `journey:${id}`;
}
