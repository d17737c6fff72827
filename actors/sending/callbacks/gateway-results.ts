// Asks gateways that report nothing by themselves, a page of texts at a time, in the order in which
// they are due. Calls keep the pace of the relay's description, however many texts wait; a gateway
// that fails is asked for one page at growing intervals, and nothing is given up meanwhile.

import {
  accepted,
  type Context,
  type Decision,
  type DocumentWrite,
  type Effect,
  type Tell,
} from '../../../engine/actor/message.ts';
import { dayMs, hourMs, type Millis, minuteMs, secondMs } from '../../../engine/base/brand.ts';
import { hash32 } from '../../../engine/base/hash.ts';
import { parseId } from '../../../engine/base/id.ts';
import { type ResultPollRow, resultPolls } from '../../../storage/tables/result-poll.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { AskedMessage, ToldResult } from '../../channels/port/late-results.ts';
import type { GatewayPolling } from '../../channels/relays/gateway/config.ts';
import { readableRow } from '../../readable-row.ts';
import { openRelay } from '../../tenants/relays/open-relay.ts';
import { relayOf } from '../../tenants/relays/reads.ts';
import type { PollResults } from '../dispatch/protocol.ts';
import { askAgainMs, pollingOf } from '../outbox/awaited-results.ts';
import {
  type AwaitedPlace,
  type AwaitedRow,
  awaited,
  awaitedAt,
  awaitedRowsMax,
  dueRows,
  firstDueMs,
  lastMs,
  noLongerAwaited,
} from '../outbox/awaited-rows.ts';
import { gatewayAskTimer } from '../outbox/timers.ts';
import type { CallbacksView } from './memory.ts';
import type { PollPlan } from './poll.ts';
import type { CallbacksEntry, CallbacksProtocol } from './protocol.ts';
import { ReportedSends } from './reported-sends.ts';
import type { SecretReader } from './secrets.ts';

/** How long to wait for the answers of a page. */
const leaseMs: Millis = 5 * minuteMs;
const retryMsMin: Millis = 30 * secondMs;
const retryMsMax: Millis = 15 * minuteMs;
const pageMax = 50;

/** Texts are due, or the answers of a page are lost. */
export function askGatewayDue(
  app: CallbacksView,
  relayId: string,
  { sealer, cache }: SecretReader,
  { partition, dispatchers }: PollPlan,
  context: Context,
): Decision<null> {
  const row = readableRow(context.documents, resultPolls, [relayId]);
  const { owner, nowMs } = context;
  if (row === undefined || row.dueMs > nowMs) return accepted(null);
  const polling = pollingOf(app, relayId);
  const relay = relayOf(app, relayId);
  const untilMs = polling === undefined ? lastMs : nowMs;
  const { rows: due, damaged } = dueRows(context.documents, relayId, untilMs);
  const dropped = (rows: readonly AwaitedRow[]) =>
    rows.map((row) => noLongerAwaited(relayId, placeOf(row)));
  if (polling === undefined || relay === undefined) {
    const isMore = due.length + damaged.length === awaitedRowsMax;
    const next = isMore ? restedUntil(nowMs + secondMs) : undefined;
    return put(relayId, 'sms', next, [...damaged, ...dropped(due)], context);
  }
  // Each text is asked for at least once, unless its gateway could not be asked for a day.
  const tooOldMs = nowMs - polling.forHours * hourMs - dayMs;
  const old = due.filter(({ value }) => value.sinceMs < tooOldMs);
  const page = due.filter(({ value }) => value.sinceMs >= tooOldMs).slice(0, pageMax);
  const gone = [...damaged, ...dropped(old)];
  const { channel } = relay;
  if (page.length === 0) {
    const dueMs = firstDueMs(context.documents, relayId, old.map(placeOf));
    const next = dueMs === undefined ? undefined : restedUntil(Math.max(dueMs, nowMs + secondMs));
    return put(relayId, channel, next, gone, context);
  }
  const failures = row.asking === undefined ? row.failures : row.failures + 1;
  const opened = openRelay(relay, sealer, nowMs, cache);
  // Its secrets cannot be decrypted now: as a gateway that is down.
  if (opened === undefined) return put(relayId, channel, failing(row, nowMs), gone, context);
  const messages = page.map(({ value: { sendId, deviceId, name }, dueMs }) => ({
    ...{ sendId, deviceId, dueMs },
    ...(name === undefined ? {} : { name }),
  }));
  const question: PollResults = {
    ...{ kind: 'dispatch.poll', partition, app: owner, channel, credentials: undefined },
    ...{ sinceMs: nowMs, untilMs: nowMs, startKey: null, asked: { relay: opened, messages } },
  };
  const effect: Effect = { port: hash32(`${owner}|${relayId}`) % dispatchers, message: question };
  const asking = { untilMs: nowMs, startKey: '' };
  const next = { ...row, asking, failures, dueMs: nowMs + leaseMs };
  return put(relayId, channel, next, gone, context, [effect]);
}

/** The answers of a page. Ignores one that was given up and asked for again. */
export function gatewayTold(
  app: CallbacksView,
  relayId: string,
  { channel, untilMs, answer }: CallbacksProtocol['callback.polled']['body'],
  context: Context,
): Decision<null> {
  const row = readableRow(context.documents, resultPolls, [relayId]);
  if (row?.asking?.untilMs !== untilMs || answer.state === 'read') return accepted(null);
  const { nowMs } = context;
  const polling = pollingOf(app, relayId);
  // The next turn drops what waits for a relay that is gone.
  if (polling === undefined) return put(relayId, channel, restedUntil(nowMs), [], context);
  const told = answer.state === 'told' ? answer.told : [];
  const page = new ToldPage(app, relayId, polling, context);
  for (const one of told) page.tell(channel, one);
  const next =
    answer.failure === undefined
      ? afterPage(page, relayId, told.length, polling, context)
      : failing(row, nowMs, told.length > 0, answer.failure.retryAfterMs);
  const written = put(relayId, channel, next, page.documents(), context);
  if (written.outcome === 'refused') return written;
  const tells = page.isHeard ? heardTells(app, relayId, context) : [];
  return { ...written, entries: [...page.sends.entries(), ...(written.entries ?? [])], tells };
}

/** What the answers of a page do to the texts that they are about. */
class ToldPage {
  readonly sends: ReportedSends;
  /** It said something of a text that its rules know. */
  isHeard = false;
  /** Rows that are no longer at their place. */
  readonly moved: AskedMessage[] = [];
  firstMs: Millis | undefined;
  readonly #relayId: string;
  readonly #polling: GatewayPolling;
  readonly #context: Context;
  readonly #documents: DocumentWrite[] = [];

  constructor(app: CallbacksView, relayId: string, polling: GatewayPolling, context: Context) {
    this.sends = new ReportedSends(app, context);
    this.#relayId = relayId;
    this.#polling = polling;
    this.#context = context;
  }

  tell(channel: ChannelId, { message, news }: ToldResult): void {
    const row = awaitedAt(this.#context.documents, this.#relayId, message);
    if (row === undefined) return;
    if (news !== undefined) this.isHeard = true;
    this.moved.push(message);
    this.#documents.push(noLongerAwaited(this.#relayId, message));
    const { sendId, deviceId, person, sinceMs, asks } = row;
    if (news !== undefined)
      this.sends.apply({ sendId, deviceId, channel, person, news, relay: this.#relayId });
    if (news !== undefined && news.kind !== 'taken') return;
    const { nowMs } = this.#context;
    if (nowMs - sinceMs >= this.#polling.forHours * hourMs) return;
    const dueMs = nowMs + askAgainMs(this.#polling, asks + 1);
    this.firstMs = Math.min(dueMs, this.firstMs ?? dueMs);
    this.#documents.push(awaited(this.#relayId, dueMs, { ...row, asks: asks + 1 }));
  }

  documents(): readonly DocumentWrite[] {
    return [...this.#documents, ...this.sends.documents()];
  }
}

/** When the next page may be asked for: at the relay's pace, and not before something is due. */
function afterPage(
  { moved, firstMs }: ToldPage,
  relayId: string,
  calls: number,
  { perSecond }: GatewayPolling,
  context: Context,
): ResultPollRow | undefined {
  const others = firstDueMs(context.documents, relayId, moved);
  const dueMs = Math.min(others ?? lastMs, firstMs ?? lastMs);
  if (dueMs === lastMs) return undefined;
  const pacedMs = context.nowMs + Math.max(secondMs, Math.ceil((calls / perSecond) * secondMs));
  return restedUntil(Math.max(dueMs, pacedMs));
}

function restedUntil(dueMs: Millis): ResultPollRow {
  return { sinceMs: 0, pass: 0, dueMs, failures: 0 };
}

/** A page that brought some answers begins the row of failures anew. */
function failing(
  { failures: before }: ResultPollRow,
  nowMs: Millis,
  isPartly = false,
  askedMs: Millis = 0,
): ResultPollRow {
  const failures = isPartly ? 1 : before + 1;
  const waitMs = Math.min(retryMsMax, retryMsMin * 2 ** Math.min(failures - 1, 10));
  return { ...restedUntil(nowMs + Math.max(askedMs, waitMs)), failures };
}

function placeOf({ dueMs, value: { sendId, deviceId } }: AwaitedRow): AwaitedPlace {
  return { dueMs, sendId, deviceId };
}

/** The relay reports: its later texts wait for their outcome. Told once an hour. */
function heardTells(app: CallbacksView, relayId: string, { nowMs }: Context): readonly Tell[] {
  const { reportedMs = 0 } = relayOf(app, relayId) ?? {};
  const to = parseId('rel', relayId)?.ordinal;
  if (to === undefined || nowMs < reportedMs + hourMs) return [];
  return [{ to, message: { kind: 'relay.reported', by: -1, relayId } as Tell['message'] }];
}

function put(
  relayId: string,
  channel: ChannelId,
  row: ResultPollRow | undefined,
  documents: readonly DocumentWrite[],
  { owner, nowMs: atMs }: Context,
  effects: readonly Effect[] = [],
): Decision<null> {
  const entry: CallbacksEntry = { kind: 'results.polled', owner, channel, atMs };
  const timers = row === undefined ? [] : [gatewayAskTimer(owner, relayId, row.dueMs)];
  return accepted(null, {
    entries: [entry, ...timers],
    documents: [...documents, { table: resultPolls, key: [relayId], value: row }],
    effects,
  });
}
