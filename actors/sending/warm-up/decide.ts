// Decides about warm-ups: begun for a sender domain of the app, changed, held, and ended.

import { accepted, refused } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { dayMs, type Millis } from '../../../engine/base/brand.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { withNamed } from '../../tenants/accounts/with-app.ts';
import type { WarmUpMemory, WarmUpView } from './memory.ts';
import type { WarmUpEntry, WarmUpInput, WarmUpProtocol, WarmUpShown } from './protocol.ts';
import { isFrom, warmUpOf } from './reads.ts';
import {
  defaultCurve,
  endDay,
  held,
  numberOn,
  stepOn,
  utcDayOf,
  type WarmUpRecord,
  warmUpState,
} from './warm-up.ts';

/** How far from now a warm-up may begin: earlier, if it began with another service. */
const startDaysMax = 365;

const withDomain = withNamed('email domain', (app: WarmUpView, domain: string) =>
  app.emailDomains.get(domain),
);

const withWarmUp = withNamed('warm-up', (app: WarmUpView, domain: string) => warmUpOf(app, domain));

export const warmUpDecisions: Decisions<WarmUpProtocol, WarmUpMemory> = {
  'warm_up.read': (state, { domain }, context) =>
    withDomain(state, domain, context, (_kept, app) =>
      accepted(shown(app, domain, warmUpOf(app, domain), context.nowMs)),
    ),

  'warm_up.put': (state, { domain, input }, context) =>
    withDomain(state, domain, context, (_kept, app) => {
      const { owner, nowMs } = context;
      const wrong = startFault(input, nowMs) ?? daysFault(input);
      if (wrong !== undefined) return refused(wrong);
      const before = warmUpOf(app, domain) ?? fresh(domain, input.startMs ?? nowMs, nowMs);
      const warmUp = changed(before, input, nowMs);
      const entry: WarmUpEntry = { kind: 'warm_up.saved', owner, warmUp };
      return accepted(shown(app, domain, warmUp, nowMs), { entries: [entry] });
    }),

  'warm_up.delete': (state, { domain }, context) =>
    withWarmUp(state, domain, context, () => {
      const entry: WarmUpEntry = { kind: 'warm_up.deleted', owner: context.owner, domain };
      return accepted(null, { entries: [entry] });
    }),
};

function fresh(domain: string, startMs: Millis, nowMs: Millis): WarmUpRecord {
  const stamps = { createdMs: nowMs, updatedMs: nowMs };
  return { domain, startMs, days: defaultCurve, sinceDay: utcDayOf(startMs), step: 0, ...stamps };
}

function changed(
  before: WarmUpRecord,
  { startMs = before.startMs, days = before.days, isHeld = before.isHeld === true }: WarmUpInput,
  nowMs: Millis,
): WarmUpRecord {
  const { isHeld: _was, ...rest } = before;
  const isMoved = startMs !== before.startMs;
  const started: WarmUpRecord = isMoved
    ? { ...rest, startMs, sinceDay: utcDayOf(startMs), step: 0 }
    : before;
  return { ...held({ ...started, days }, isHeld, utcDayOf(nowMs)), updatedMs: nowMs };
}

function startFault({ startMs }: WarmUpInput, nowMs: Millis): Fault | undefined {
  if (startMs === undefined || Math.abs(startMs - nowMs) <= startDaysMax * dayMs) return undefined;
  return fieldFault('startsAt', `expected within ${startDaysMax} days from now`);
}

/** Numbers that would never let anything leave. */
function daysFault({ days = [] }: WarmUpInput): Fault | undefined {
  for (const [at, { max, perProvider = {} }] of days.entries())
    for (const [provider, theirs] of Object.entries(perProvider))
      if (theirs > max)
        return fieldFault(
          `days[${at}].perProvider.${provider}`,
          `expected at most ${max}, the day's max`,
        );
  return undefined;
}

function shown(
  app: WarmUpView,
  domain: string,
  record: WarmUpRecord | undefined,
  nowMs: Millis,
): WarmUpShown {
  if (record === undefined)
    return { domain, record, state: 'off', today: null, endsMs: null, isUsed: isFrom(app, domain) };
  const day = utcDayOf(nowMs);
  const number = numberOn(record, day);
  const step = stepOn(record, day);
  const { mails, byProvider, isUnknown } = app.warmUps.countOn(record.domain, day);
  const ends = endDay(record);
  return {
    domain,
    record,
    state: warmUpState(record, day),
    today:
      number === undefined || step === undefined
        ? null
        : { day: step + 1, number, mails, byProvider: [...byProvider], isUnknown },
    endsMs: ends === undefined ? null : ends * dayMs,
    isUsed: isFrom(app, domain),
  };
}
