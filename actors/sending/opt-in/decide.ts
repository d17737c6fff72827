// Decides about sign-ups, their confirmations, and which of them are too old to keep.

import { accepted, type Context, type Decision } from '../../../engine/actor/message.ts';
import type { Decisions, MessageOf } from '../../../engine/actor/protocol.ts';
import { optIns } from '../../../storage/tables/opt-in.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import { confirm, pageOf } from './confirm.ts';
import type { OptInMemory } from './memory.ts';
import type { OptInEntry, OptInProtocol } from './protocol.ts';
import { isFresh, withoutRow } from './rows.ts';
import { type SignUpRules, signUp } from './sign-up.ts';
import { optInSweepTimer } from './timers.ts';

const rowsPerTurn = 500;

export const optInDecisions = (rules: SignUpRules): Decisions<OptInProtocol, OptInMemory> => ({
  'opt_in.sign_up': (state, asked, context) =>
    withApp(state, context, (app) => signUp(state, app, asked, rules, context)),

  'opt_in.read': (state, link, context) =>
    withApp(state, context, (app) => accepted(pageOf(app, link, context))),

  'opt_in.confirm': (state, asked, context) =>
    withApp(state, context, (app) => confirm(app, asked, context)),

  'opt_in.sweep': (state, asked, context) => withApp(state, context, () => sweep(asked, context)),
});

/** A slice; the last one sets the timer of the next day, while there are rows. */
function sweep(
  { after }: MessageOf<OptInProtocol, 'opt_in.sweep'>,
  context: Context,
): Decision<null> {
  const { owner, nowMs, documents: reader } = context;
  const from = after === undefined ? [''] : [after[0], after[1] + 1];
  const rows = reader.range(optIns, { from, limit: rowsPerTurn });
  const documents = rows.flatMap(({ key, value }) =>
    isFresh(value, context) ? [] : withoutRow(key[0] as string, value.person),
  );
  const last = rows.length < rowsPerTurn ? undefined : rows.at(-1)?.key;
  if (last !== undefined) {
    const message = { kind: 'opt_in.sweep', by: -1, after: last };
    const swept: OptInEntry = { kind: 'opt_in.swept', owner, isDone: false };
    return accepted(null, { entries: [swept], documents, tells: [{ to: owner, message }] });
  }
  const isDone = after === undefined && documents.length === 2 * rows.length;
  const swept: OptInEntry = { kind: 'opt_in.swept', owner, isDone };
  const timers = isDone ? [] : [optInSweepTimer(owner, nowMs)];
  return accepted(null, { entries: [swept, ...timers], documents });
}
