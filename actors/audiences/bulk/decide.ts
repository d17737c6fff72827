// Decides about bulk changes. Who is meant is fixed at the start; a small change is done in the
// turn that starts it, a larger one goes on by its timer, slice by slice, also after a crash.

import {
  accepted,
  type Context,
  type Decision,
  type Entry,
  refused,
} from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { Bitset } from '../../../engine/base/bitset.ts';
import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { newId } from '../../../engine/base/id.ts';
import type { AreaTimers } from '../../area.ts';
import { catalog } from '../../channels/catalog.ts';
import { fault, notFound } from '../../faults.ts';
import { limits } from '../../limits.ts';
import { readPerson } from '../../people/audience/find-person.ts';
import { checkTags, tooManyNames } from '../../people/audience/tags.ts';
import { choicesFault } from '../../people/topics/choices.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import { audienceOf } from '../segments/evaluate.ts';
import { withTraits } from '../segments/with-traits.ts';
import { changeSlice } from './change-slice.ts';
import type { BulkMemory, BulkView } from './memory.ts';
import type { BulkAction, BulkChange, BulkEntry, BulkProtocol } from './protocol.ts';

/** The number of its timer at rest. */
const bulkSlice = 30;
/** Between two slices, for everybody else. */
const pauseMs: Millis = 20;

export const bulkTimers: AreaTimers = {
  [bulkSlice]: ([number]) => ({ kind: 'bulk.slice', number }) as never,
};

export const bulkDecisions: Decisions<BulkProtocol, BulkMemory> = {
  'bulk.start': (state, { asked, times, people = [], action, isDry }, context) => {
    if (asked === undefined)
      return withApp(state, context, (app) => {
        const members = new Bitset(0);
        for (const ref of people) {
          const row = readPerson(app, ref, context);
          if (row !== undefined) members.set(row.person);
        }
        return start(app, members, { action, isDry }, context);
      });
    return withTraits(state, asked, times, context, (filter, traits, app) =>
      start(app, audienceOf(filter, traits, context.nowMs), { action, isDry }, context),
    );
  },

  'bulk.slice': (state, { number }, context) =>
    withApp(state, context, (app) => {
      const { change, members, from } = app.bulk.get(number) ?? {};
      if (change === undefined || members === undefined || from === undefined)
        return accepted(null);
      const { owner, nowMs } = context;
      const slice = changeSlice(app, members, from, change, context);
      const { entries, documents, tells, next } = slice;
      const after: BulkChange = {
        ...change,
        state: next < 0 ? 'done' : 'running',
        looked: change.looked + slice.looked,
        changed: change.changed + slice.changed,
        failed: change.failed + slice.failed,
        updatedMs: nowMs,
      };
      const progressed: BulkEntry = {
        kind: 'bulk.progressed',
        owner,
        change: after,
        from: Math.max(0, next),
      };
      const own: Entry[] = next < 0 ? [progressed] : [progressed, sliceTimer(owner, number, nowMs)];
      return accepted(null, { entries: [...entries, ...own], documents, tells });
    }),

  'bulk.read': (state, { id }, context) =>
    withApp(state, context, (app) => {
      const change = app.bulk.find(id);
      return change === undefined ? refused(notFound('bulk change')) : accepted(change);
    }),
};

function start(
  app: BulkView,
  members: Bitset,
  what: Pick<BulkChange, 'action' | 'isDry'>,
  context: Context,
): Decision<BulkChange> {
  const problem = actionProblem(app, what.action);
  if (problem !== undefined) return refused(problem);
  const { owner, nowMs, rng } = context;
  const { next, entries, documents, tells, ...counts } = changeSlice(
    app,
    members,
    0,
    what,
    context,
  );
  if (next >= 0 && app.bulk.running >= limits.bulkChangesRunning)
    return refused(
      fault(
        'limit_reached',
        `an app has at most ${limits.bulkChangesRunning} bulk changes running; wait until one is done`,
      ),
    );
  const number = app.bulk.next;
  const change: BulkChange = {
    id: newId('blk', owner, nowMs, rng),
    number,
    ...what,
    state: next < 0 ? 'done' : 'running',
    matched: members.count(),
    ...counts,
    startedMs: nowMs,
    updatedMs: nowMs,
  };
  const isLeft = next >= 0;
  const started: BulkEntry = {
    kind: 'bulk.started',
    owner,
    change,
    ...(isLeft ? { members: members.snapshot(), from: next } : {}),
  };
  const own: Entry[] = isLeft ? [started, sliceTimer(owner, number, nowMs)] : [started];
  return accepted(change, { entries: [...entries, ...own], documents, tells });
}

function sliceTimer(owner: Ordinal, number: number, nowMs: Millis): Entry {
  const ref = [number, 0, 0, 0];
  return { kind: 'timer.set', owner, timer: bulkSlice, dueMs: nowMs + pauseMs, ref } as Entry;
}

function actionProblem(app: BulkView, { tags, suppress }: BulkAction): Fault | undefined {
  for (const [nth, channel] of (suppress?.channels ?? []).entries())
    if (catalog[channel].identity === undefined)
      return fieldFault(
        `suppress.channels[${nth}]`,
        `${channel} has no suppressions; disable its devices instead`,
      );
  if (tags === undefined) return undefined;
  const known = { tags: app.traits.tags, unvouchedTags: app.unvouched.tags };
  return (
    checkTags(tags) ??
    choicesFault(tags, app.topics, 'tags') ??
    tooManyNames(tags, known, undefined)
  );
}
