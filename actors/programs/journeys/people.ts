// Lists the people in a journey now, by a hash of the person: adding or moving others skips nobody.

import type { Context } from '../../../engine/actor/message.ts';
import type { MessageOf } from '../../../engine/actor/protocol.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { subscribers } from '../../../storage/tables/subscriber.ts';
import { unknownPart } from '../../faults.ts';
import { limits } from '../../limits.ts';
import { listCursor, placeOfCursor } from '../../list-cursor.ts';
import type { Page } from '../../people/audience/protocol.ts';
import { readableRow } from '../../readable-row.ts';
import type { Journey } from './journeys.ts';
import { stepOf, stepsOf } from './program.ts';
import type { JourneyPerson, JourneysProtocol } from './protocol.ts';

export function listPeople(
  { flow, record }: Journey,
  { step, state, limit, cursor }: MessageOf<JourneysProtocol, 'journey.people'>,
  { owner, documents }: Pick<Context, 'owner' | 'documents'>,
): Page<JourneyPerson> | { readonly fault: Fault } {
  const from = cursor === undefined ? 0 : placeOfCursor('runs', owner, cursor);
  if (from === undefined) return { fault: fieldFault('cursor', 'invalid cursor for this list') };
  const unknown =
    step === undefined
      ? undefined
      : unknownPart('step', step, stepsOf(record.program), 'this journey');
  if (unknown !== undefined) return { fault: unknown };
  const items: JourneyPerson[] = [];
  const next = flow.runs.walk(from, limits.recipientsWalkedMax, (run) => {
    const isLeaving = flow.isLeaving(run);
    const at = isLeaving ? undefined : stepOf(record.program, run.operation);
    if (state !== undefined && state !== (isLeaving ? 'leaving' : 'waiting')) return true;
    if (step !== undefined && step !== at) return true;
    if (items.length === limit) return false;
    const row = readableRow(documents, subscribers, [run.person]);
    if (row === undefined) return true;
    items.push({
      subscriberId: row.id,
      ...(row.externalUserId === undefined ? {} : { externalUserId: row.externalUserId }),
      state: isLeaving ? 'leaving' : 'waiting',
      ...(at === undefined ? {} : { step: at }),
      enrolledMs: run.enrolledMs,
      untilMs: run.wakeMs,
    });
    return true;
  });
  return { items, nextCursor: next < 0 ? null : listCursor('runs', owner, next) };
}
