// A journey goes live in the place of another one. One decision saves both, so an event finds either
// the one or the other, and a crash leaves no half. Whoever is under way in the old one leaves it,
// as after every pause; whom it had not enrolled yet, the new one enrolls.

import { accepted, type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { fault, unknownId } from '../../faults.ts';
import type { Journey } from './journeys.ts';
import type { JourneyRecord } from './records.ts';
import { type Activation, activate, deactivate } from './switch.ts';
import type { JourneysView } from './view.ts';

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
      'replaces: this journey is not live, so there is nothing to replace. Leave it out to activate yours alone',
      { field: 'replaces' },
    ),
  };
}
