// Decides about sign-ups, their confirmations, and which of them are too old to keep.

import { accepted, type Context, type Decision } from '../../../engine/actor/message.ts';
import type { Decisions, MessageOf } from '../../../engine/actor/protocol.ts';
import { dayMs } from '../../../engine/base/brand.ts';
import { optInMails, optIns } from '../../../storage/tables/opt-in.ts';
import { holderOf } from '../../people/audience/address-holder.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import { isConfigured } from '../outbox/open-credentials.ts';
import { askPending } from './ask-pending.ts';
import { confirm, confirmPageOf } from './confirm.ts';
import { leaveTopic } from './leave-topic.ts';
import { mailOneOwed, mailOwed } from './mail-owed.ts';
import type { OptInMemory } from './memory.ts';
import { oweMails } from './owe-mails.ts';
import { preferencesPage, setPreferences } from './preferences-page.ts';
import type { OptInEntry, OptInProtocol } from './protocol.ts';
import { isKept, withoutRow } from './rows.ts';
import { type SignUpRules, signUp } from './sign-up.ts';
import { optInSweepTimer } from './timers.ts';

const rowsPerTurn = 500;

export const optInDecisions = (rules: SignUpRules): Decisions<OptInProtocol, OptInMemory> => ({
  'opt_in.sign_up': (state, asked, context) =>
    withApp(state, context, (app) => signUp(state, app, asked, rules, context)),

  'opt_in.ask': (state, { person }, context) =>
    withApp(state, context, (app) => askPending(state, app, person, rules, context)),

  'opt_in.owe': (state, { people }, context) =>
    withApp(state, context, (app) => oweMails(app, people, context)),

  'opt_in.mail': (state, { run }, context) =>
    withApp(state, context, (app) => mailOwed(app, run, context)),

  'opt_in.mail_owed': (state, owed, context) =>
    withApp(state, context, (app) => mailOneOwed(state, app, owed, rules, context)),

  'opt_in.count': (state, _message, context) =>
    withApp(state, context, (app) => {
      const { counts, mailing } = app.optIns;
      const hasSender = isConfigured(app, rules.plan, 'email');
      return accepted({ ...counts, nextMs: mailing?.dueMs ?? null, hasSender });
    }),

  'opt_in.preferences': (state, named, context) =>
    withApp(state, context, (app) => accepted(preferencesPage(app, named, context))),

  'opt_in.set_preferences': (state, asked, context) =>
    withApp(state, context, (app) => setPreferences(app, asked, context)),

  'opt_in.person_at': (state, { address }, context) =>
    withApp(state, context, () => {
      const held = holderOf({ channel: 'email', endpoint: address }, {}, context);
      return accepted(held?.holder.person ?? null);
    }),

  'opt_in.leave_topic': (state, asked, context) =>
    withApp(state, context, (app) => leaveTopic(app, asked, context)),

  'opt_in.read': (state, link, context) =>
    withApp(state, context, (app) => accepted(confirmPageOf(app, link, context))),

  'opt_in.confirm': (state, asked, context) =>
    withApp(state, context, (app) => confirm(app, asked, context)),

  'opt_in.sweep': (state, asked, context) => withApp(state, context, () => sweep(asked, context)),
});

/**
 * A slice of the rows, then of the counts of mails. The last one sets the timer of the next day,
 * unless nothing is left.
 */
function sweep(
  { after, mailsAfter, kept = false }: MessageOf<OptInProtocol, 'opt_in.sweep'>,
  context: Context,
): Decision<null> {
  const { owner, nowMs } = context;
  const slice =
    mailsAfter === undefined ? oldRows(after ?? ['', 0], context) : oldMails(mailsAfter, context);
  const { documents, rows, gone, last } = slice;
  const isKept = kept || gone < rows;
  const isOver = rows < rowsPerTurn && mailsAfter !== undefined;
  const isDone = isOver && !isKept;
  const swept: OptInEntry = { kind: 'opt_in.swept', owner, isDone };
  if (isOver) {
    const timers = isDone ? [] : [optInSweepTimer(owner, nowMs)];
    return accepted(null, { entries: [swept, ...timers], documents });
  }
  const next = rows < rowsPerTurn ? { mailsAfter: new Uint8Array(0) } : last;
  const message = { kind: 'opt_in.sweep', by: -1, kept: isKept, ...next };
  return accepted(null, { entries: [swept], documents, tells: [{ to: owner, message }] });
}

function oldRows([identity, person]: readonly [string, number], context: Context) {
  const from = [identity, person + 1];
  const found = context.documents.range(optIns, { from, limit: rowsPerTurn });
  const old = found.filter(({ value }) => !isKept(value, context));
  const documents = old.flatMap(({ key, value }) => withoutRow(key[0] as string, value));
  const key = found.at(-1)?.key as readonly [string, number] | undefined;
  const last = key === undefined ? {} : { after: key };
  return { documents, rows: found.length, gone: old.length, last };
}

function oldMails(after: Uint8Array, context: Context) {
  const { nowMs, ages, documents: reader } = context;
  const from = [after.length === 0 ? after : Uint8Array.of(...after, 0)];
  const found = reader.range(optInMails, { from, limit: rowsPerTurn });
  const sinceMs = ages.cutMs(nowMs, dayMs);
  const old = found.filter(({ value }) => value.sentMs.every((atMs) => atMs < sinceMs));
  const documents = old.map(({ key }) => ({ table: optInMails, key, value: undefined }));
  const key = found.at(-1)?.key[0] as Uint8Array | undefined;
  const last = key === undefined ? {} : { mailsAfter: Uint8Array.from(key) };
  return { documents, rows: found.length, gone: old.length, last };
}
