// Answers a simulation: the walk of `simulate.ts` over a person's own columns and tags, with the
// live gate at the instants of the walk. Nothing is sent or stored. The daily room and other sends
// are unknown ahead, so the result says what would be sent, not delivered.

import { accepted, type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import type { Decisions, MessageOf } from '../../../engine/actor/protocol.ts';
import { dayMs, type Millis } from '../../../engine/base/brand.ts';
import { fieldFault } from '../../../engine/base/fault.ts';
import type { SubscriberRow } from '../../../storage/tables/subscriber.ts';
import {
  nothingUncounted,
  stillUncounted,
  uncountedTimes,
} from '../../audiences/segments/uncounted-times.ts';
import { withTimes } from '../../audiences/segments/with-traits.ts';
import { notFound } from '../../faults.ts';
import { limits } from '../../limits.ts';
import { readPerson } from '../../people/audience/find-person.ts';
import { type CredentialRules, configuredChannels } from '../../sending/outbox/open-credentials.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import { judgedDraft, withJourney } from './author.ts';
import { stepTtls } from './copies.ts';
import type { JourneysMemory, JourneysView } from './memory.ts';
import { PersonAlone } from './person-alone.ts';
import { filtersOf } from './program.ts';
import type { JourneyInput, JourneysInside, JourneysProtocol } from './protocol.ts';
import type { JourneyRecord } from './records.ts';
import { type AheadSend, SendPolicy } from './send-policy.ts';
import { simulate, type Walk, type WalkedPerson } from './simulate.ts';

type SimulatingProtocol = Pick<JourneysProtocol, 'journey.simulate' | 'journey.simulate_unsaved'> &
  Pick<JourneysInside, 'journey.uncounted_of'>;

/** How far from now a walk may start, since all facts are today's. */
const spanMs: Millis = 366 * dayMs;

/** `rules`: the operator's settings for channels. */
export function simulatingDecisions(
  rules: CredentialRules,
): Decisions<SimulatingProtocol, JourneysMemory> {
  return {
    'journey.simulate': (state, message, context) =>
      withJourney(state, message.id, context, ({ record }, app) =>
        simulated(app, record, rules, message, context),
      ),

    'journey.simulate_unsaved': (state, message, context) =>
      withApp(state, context, (app) => {
        const judged = unsaved(app, message.input, context);
        if ('fault' in judged) return refused(judged.fault);
        return simulated(app, judged.record, rules, message, context);
      }),

    'journey.uncounted_of': (state, { id, input, ref }, context) =>
      withApp(state, context, (app) => {
        const judged = input === undefined ? undefined : unsaved(app, input, context);
        const draft = judged !== undefined && 'record' in judged ? judged.record : undefined;
        const program = (draft ?? app.journeys.get(id ?? '')?.record)?.program;
        const row = ref && readPerson(app, ref, context);
        // The following message itself refuses missing objects.
        if (program === undefined || row === undefined) return accepted(nothingUncounted);
        return accepted(uncountedTimes(filtersOf(program), app, row.person, context.nowMs));
      }),
  };
}

/** Judged as if created. Without a trigger the person is enrolled all the same. */
function unsaved(
  app: JourneysView,
  input: JourneyInput,
  context: Context,
): ReturnType<typeof judgedDraft> {
  const hasTrigger = input.triggerEvent !== undefined || input.triggerSegmentId !== undefined;
  const assumed = hasTrigger ? {} : { triggerEvent: 'enrolled' };
  const judged = judgedDraft(app, { name: 'Unsaved', ...assumed, ...input }, context);
  if ('fault' in judged || hasTrigger) return judged;
  const { triggerEvent: _assumed, ...record } = judged.record;
  return { record };
}

function simulated(
  app: JourneysView,
  record: JourneyRecord,
  rules: CredentialRules,
  message: Omit<MessageOf<SimulatingProtocol, 'journey.simulate'>, 'kind' | 'by' | 'id'>,
  context: Context,
): Decision<Walk> {
  const { ref, events, times, fromMs = context.nowMs } = message;
  if (events.length > limits.simulatedEventsMax)
    return refused(fieldFault('events', `expected at most ${limits.simulatedEventsMax}`));
  if (Math.abs(fromMs - context.nowMs) > spanMs)
    return refused(fieldFault('fromTime', 'expected a time within a year from now'));
  const row = ref && readPerson(app, ref, context);
  if (ref !== undefined && row === undefined) return refused(notFound('subscriber'));
  const traits = withTimes(app.traits, times);
  const filters = filtersOf(record.program);
  const waiting = row && stillUncounted(filters, traits);
  if (waiting !== undefined) return refused(waiting);
  const walker =
    row === undefined ? { createdMs: fromMs } : { traits, person: row.person, tags: row.tags };
  const alone = new PersonAlone(walker, filters);
  const person = walked(app, record, rules, alone, row, context);
  const { triggerEvent } = record;
  const trigger = triggerEvent === undefined ? {} : { triggerEvent };
  const work = limits.simulatedEventsMax * events.length;
  return accepted(simulate(record.program, person, { fromMs, events, ...trigger }), { work });
}

/** The person's own columns, and the current policy at the instants of the walk. */
function walked(
  app: JourneysView,
  record: JourneyRecord,
  rules: CredentialRules,
  alone: PersonAlone,
  row: SubscriberRow | undefined,
  context: Context,
): WalkedPerson {
  const lives = stepTtls(record, context);
  const configured = configuredChannels(app, rules);
  const sent: AheadSend[] = [];
  return {
    test: (filter, atMs) => alone.matches(filter, atMs),
    track: (name, atMs) => alone.track(name, atMs),
    send: (operation, _index, atMs) => {
      const policy = new SendPolicy(app, configured, atMs);
      const ttlMs = lives.get(operation.step);
      const answer =
        row === undefined
          ? policy.ask(app.traits.next, operation, ttlMs, sent, true)
          : policy.ask(row.person, operation, ttlMs, sent);
      if (answer.kind !== 'sent') return answer;
      sent.push({ atMs, channels: answer.channels });
      return { kind: 'sent' };
    },
  };
}
