// Sends the mails that are owed, a few at a time: those of imports and platforms, and those of
// sign-ups that came when the address, or the org, had had its mails of the day. A mail is its own
// decision with its row, so a crash neither loses one nor sends one again.

import {
  accepted,
  type Context,
  type Decision,
  type DocumentWrite,
  type Entry,
  type Tell,
} from '../../../engine/actor/message.ts';
import { dayMs, type Millis, minuteMs } from '../../../engine/base/brand.ts';
import { type OptInRow, owedOptIns } from '../../../storage/tables/opt-in.ts';
import type { SubscriberRow } from '../../../storage/tables/subscriber.ts';
import { limits } from '../../limits.ts';
import { holderOf } from '../../people/audience/address-holder.ts';
import { isUnconfirmed } from '../../people/audience/unconfirmed.ts';
import { type AskingRules, asking } from './asking.ts';
import type { OptInMemory, OptInView } from './memory.ts';
import { mailingBy, waitingTopics } from './owe-mails.ts';
import type { OptInEntry, OwedMail } from './protocol.ts';
import { readOptIn, withoutRow, withRow } from './rows.ts';
import { optInSweepTimer } from './timers.ts';

/** Between two slices. */
const paceMs: Millis = 5_000;
const mailsPerSlice = (limits.optInOwedPerMinute * paceMs) / minuteMs;
/** That one turn looks at: those from before a restore go, and cost no mail. */
const looksPerSlice = 500;

interface Due extends OwedMail {
  readonly life: number;
}

/** Mails that are due, at most a slice; the rest follow by the next timer. */
export function mailOwed(app: OptInView, run: number, context: Context): Decision<null> {
  const { owner, nowMs } = context;
  if (app.optIns.mailing?.run !== run) return accepted(null);
  const due = dueMails(context);
  const isStale = ({ life }: Due) => life !== app.optIns.life;
  const dropped = due.filter(isStale);
  const mails = due.filter((one) => !isStale(one)).slice(0, mailsPerSlice);
  const isMore = due.length === looksPerSlice || mails.length + dropped.length < due.length;
  const nextMs = isMore ? nowMs + paceMs : nextDueMs(context);
  const tells: Tell[] = mails.map(({ dueMs, identity, person }) => {
    const message = { kind: 'opt_in.mail_owed', by: -1, dueMs, identity, person };
    return { to: owner, message } as Tell;
  });
  const documents = dropped.flatMap((one) => withoutMail(one, context));
  // Mails of the slice are still owed in the table: the next slice comes after they were sent.
  const soonestMs = nextMs === undefined ? undefined : Math.max(nextMs, nowMs + paceMs);
  const entries: readonly Entry[] =
    soonestMs === undefined
      ? [{ kind: 'opt_in.mailing', owner, mailing: null } as OptInEntry]
      : mailingBy({ optIns: { ...app.optIns, mailing: null } }, soonestMs, context);
  return accepted(null, { entries, documents, tells });
}

/** What is further ahead than any mail may be was written while the clock was wrong. */
function dueMails(context: Context): readonly Due[] {
  const { nowMs } = context;
  const due = rangeOf({ to: [nowMs + 1], limit: looksPerSlice }, context);
  const limit = looksPerSlice - due.length;
  return limit === 0 ? due : [...due, ...rangeOf({ from: [nowMs + 2 * dayMs], limit }, context)];
}

function nextDueMs(context: Context): Millis | undefined {
  return rangeOf({ from: [context.nowMs + 1], limit: 1 }, context)[0]?.dueMs;
}

function rangeOf(
  range: Parameters<Context['documents']['range']>[1],
  { documents }: Context,
): readonly Due[] {
  return documents.range(owedOptIns, range).map(({ key, value }) => {
    const [dueMs, identity, person] = key as readonly [number, string, number];
    return { dueMs, identity, person, life: value.life };
  });
}

export function mailOneOwed(
  state: OptInMemory,
  app: OptInView,
  owed: OwedMail,
  rules: AskingRules,
  context: Context,
): Decision<null> {
  const { identity, person, dueMs } = owed;
  const row = readOptIn(identity, person, context);
  if (row?.owed?.dueMs !== dueMs) return accepted(null);
  const held = holderOf({ channel: 'email', endpoint: row.address }, {}, context);
  const isNeeded = held !== undefined && needsMail(row, held.holder, isUnconfirmed(held.device));
  if (!isNeeded) return gone(app, owed, context);
  const asked = { asker: { person }, ...held, asksAgain: true };
  return accepted(null, asking(state, app, identity, row.wish, asked, rules, context));
}

/** A tenant's mail is for the person who has the address, while something of theirs waits. */
function needsMail(row: OptInRow, holder: SubscriberRow, isAddressWaiting: boolean): boolean {
  if (row.byTenant !== true) return true;
  if (holder.person !== row.person) return false;
  const waiting = new Set(waitingTopics(holder));
  return isAddressWaiting || row.wish.topics.some((key) => waiting.has(key));
}

function gone(app: OptInView, owed: OwedMail, context: Context): Decision<null> {
  const { owner, nowMs } = context;
  const { person, identity } = owed;
  const note: OptInEntry = {
    kind: 'opt_in.asked',
    owner,
    person,
    identity,
    atMs: nowMs,
    isMailed: false,
  };
  const timers = app.optIns.isSwept ? [] : [optInSweepTimer(owner, nowMs)];
  return accepted(null, { entries: [note, ...timers], documents: withoutMail(owed, context) });
}

/** The mail is not owed any more; what was asked before stays. */
function withoutMail({ identity, person, dueMs }: OwedMail, context: Context): DocumentWrite[] {
  const row = readOptIn(identity, person, context);
  if (row?.owed?.dueMs !== dueMs)
    return [{ table: owedOptIns, key: [dueMs, identity, person], value: undefined }];
  if (row.mailedMs === undefined) return withoutRow(identity, row);
  const { owed: _owed, ...rest } = row;
  return withRow(identity, rest, row);
}
