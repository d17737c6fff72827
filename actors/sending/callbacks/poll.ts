// Polls a provider for results, page by page. A dispatcher's call is not durable: the row says how
// far the poll came, and a timer repeats a page whose answer is lost. Results applied twice count
// once.

import {
  accepted,
  type Context,
  type Decision,
  type Effect,
} from '../../../engine/actor/message.ts';
import { type Millis, minuteMs } from '../../../engine/base/brand.ts';
import { hash32 } from '../../../engine/base/hash.ts';
import { type ResultPollRow, resultPolls } from '../../../storage/tables/result-poll.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import { readableRow } from '../../readable-row.ts';
import type { PollResults } from '../dispatch/protocol.ts';
import { openCredentials } from '../outbox/open-credentials.ts';
import type { DispatchPlan } from '../outbox/pump.ts';
import { pollOverlapMs, pollWaitsMs } from '../outbox/result-polls.ts';
import { resultsPollTimer } from '../outbox/timers.ts';
import type { CallbacksView } from './memory.ts';
import type { CallbacksEntry, CallbacksProtocol } from './protocol.ts';
import { ReportedSends } from './reported-sends.ts';
import type { SecretReader } from './secrets.ts';

export type PollPlan = Pick<DispatchPlan, 'partition' | 'dispatchers'>;

/** How long to wait for the answer to a page. */
const leaseMs: Millis = 5 * minuteMs;
const retryMsMin: Millis = 30_000;
const retryMsMax: Millis = 15 * minuteMs;
/** Failed pages before polling stops. Each counts twice: failing, and being asked again. */
const failuresMax = 8;

/** A poll is due, or the answer to its page is lost. */
export function pollDue(
  app: CallbacksView,
  channel: ChannelId,
  secrets: SecretReader,
  plan: PollPlan,
  context: Context,
): Decision<null> {
  const row = readableRow(context.documents, resultPolls, [channel]);
  if (row === undefined || row.dueMs > context.nowMs) return accepted(null);
  // A lost page counts as failed; a failed one is already counted and is tried once more.
  const failures = row.asking === undefined ? 0 : row.failures + 1;
  if (failures > 2 * failuresMax) return put(channel, undefined, context);
  return ask(app, channel, { ...row, failures }, secrets, plan, context);
}

/** A page has arrived. Ignores one that was given up and asked for again. */
export function polled(
  app: CallbacksView,
  { channel, untilMs, startKey, answer }: CallbacksProtocol['callback.polled']['body'],
  secrets: SecretReader,
  plan: PollPlan,
  context: Context,
): Decision<null> {
  const row = readableRow(context.documents, resultPolls, [channel]);
  const asking = row?.asking;
  if (row === undefined || asking === undefined) return accepted(null);
  if (asking.untilMs !== untilMs || asking.startKey !== (startKey ?? '')) return accepted(null);
  const { nowMs } = context;
  if (answer.state === 'failed') {
    const { retryAfterMs = 0, reason } = answer.failure;
    const failures = row.failures + 1;
    if (failures > 2 * failuresMax || reason === 'not_supported')
      return put(channel, undefined, context);
    const waitMs = Math.min(retryMsMax, retryMsMin * 2 ** row.failures);
    const dueMs = nowMs + Math.max(retryAfterMs, waitMs);
    return put(channel, { ...row, failures, dueMs }, context);
  }
  if (answer.state === 'told') return accepted(null);
  const sends = new ReportedSends(app, context);
  for (const { failed, ...named } of answer.results)
    sends.apply({
      ...named,
      channel,
      news: failed === undefined ? { kind: 'arrived' } : { kind: 'failed', ...failed },
    });
  const applied = { entries: sends.entries(), documents: sends.documents() };
  // A provider that answers with the same key would be polled without end.
  const isLast = answer.nextKey === null || answer.nextKey === startKey;
  const next = isLast
    ? put(channel, afterPoll(row, untilMs, nowMs), context)
    : ask(
        app,
        channel,
        { ...row, asking: { untilMs, startKey: answer.nextKey ?? '' }, failures: 0 },
        secrets,
        plan,
        context,
      );
  if (next.outcome === 'refused') return next;
  return {
    ...next,
    entries: [...applied.entries, ...(next.entries ?? [])],
    documents: [...applied.documents, ...(next.documents ?? [])],
  };
}

/** The next poll once all pages are in; `undefined` after the last one since the newest send. */
function afterPoll(row: ResultPollRow, untilMs: Millis, nowMs: Millis): ResultPollRow | undefined {
  const pass = row.pass + 1;
  const waitMs = pollWaitsMs[pass];
  if (waitMs === undefined) return undefined;
  const sinceMs = Math.max(row.sinceMs, untilMs - pollOverlapMs);
  return { sinceMs, pass, dueMs: nowMs + waitMs, failures: 0 };
}

function ask(
  app: CallbacksView,
  channel: ChannelId,
  row: ResultPollRow,
  { rules, sealer, cache }: SecretReader,
  { partition, dispatchers }: PollPlan,
  context: Context,
): Decision<null> {
  const { owner, nowMs } = context;
  const credentials = openCredentials(app, channel, rules, sealer, cache);
  // Without the account that sent them there is nothing to poll; an upload and a send start anew.
  if (credentials.state !== 'ready') return put(channel, undefined, context);
  const { sinceMs, asking = { untilMs: nowMs, startKey: '' } } = row;
  const { untilMs, startKey } = asking;
  const question: PollResults = {
    ...{ kind: 'dispatch.poll', partition, app: owner, channel, credentials: credentials.value },
    ...{ sinceMs, untilMs, startKey: startKey === '' ? null : startKey },
  };
  const effect: Effect = { port: hash32(`${owner}|${channel}`) % dispatchers, message: question };
  return put(channel, { ...row, asking, dueMs: nowMs + leaseMs }, context, [effect]);
}

function put(
  channel: ChannelId,
  row: ResultPollRow | undefined,
  { owner, nowMs: atMs }: Context,
  effects: readonly Effect[] = [],
): Decision<null> {
  const entry: CallbacksEntry = { kind: 'results.polled', owner, channel, atMs };
  const timers = row === undefined ? [] : [resultsPollTimer(owner, channel, row.dueMs)];
  return accepted(null, {
    entries: [entry, ...timers],
    documents: [{ table: resultPolls, key: [channel], value: row }],
    effects,
  });
}
