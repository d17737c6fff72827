// An email was opened or a link in it clicked: an event of its reader, the send, and the campaign
// or journey. Mail programs reload pictures and scanners follow links, so the same of one mail
// counts once an hour. Erased people leave no trace.

import { accepted, type Context, type Decision } from '../../../engine/actor/message.ts';
import { hourMs, type Millis } from '../../../engine/base/brand.ts';
import { type Hash64, hash64 } from '../../../engine/base/hash.ts';
import { sends } from '../../../storage/tables/send.ts';
import { channelIds } from '../../channels/channel-ids.ts';
import type { Tracked } from '../../channels/email/tracked.ts';
import { saltedKey } from '../../events/ingest/ingest.ts';
import { type EventDraft, encodeDrafts } from '../../events/log/drafts.ts';
import type { EventsEntry } from '../../events/protocol.ts';
import { oldestIdHour } from '../../events/retention.ts';
import { readableRow } from '../../readable-row.ts';
import { sendKey } from '../outbox/send-key.ts';
import { type CallbacksMemory, type CallbacksView, marketingSend } from './memory.ts';

const userAgentCharsMax = 512;

/** Does nothing if it was recorded within this hour. */
export function engaged(
  state: CallbacksMemory,
  app: CallbacksView,
  tracked: Tracked,
  userAgent: string,
  context: Context,
): Decision<null> {
  const entry = engagement(state, app, { ...tracked, userAgent }, context);
  return entry === undefined ? accepted(null) : accepted(null, { entries: [entry] });
}

/** `atMs`: when it was, if not now. `undefined` if it was recorded for that hour. */
export function engagement(
  state: CallbacksMemory,
  app: CallbacksView,
  tracked: Omit<Tracked, 'app' | 'url'> & {
    readonly url?: string;
    readonly userAgent: string;
    readonly atMs?: Millis;
  },
  context: Context,
): EventsEntry | undefined {
  const { owner, nowMs, documents } = context;
  const { people } = app;
  if (tracked.person >= people.next) return undefined;
  const person = people.canonical(tracked.person);
  const { userAgent, atMs = nowMs } = tracked;
  const id = `${tracked.mark}.${Math.floor(atMs / hourMs)}`;
  if (people.isGone(person) || wasSeen(state, id, context)) return undefined;
  const { kind, sendId, deviceId, journeyId } = tracked;
  const key = sendKey(owner, sendId);
  const row = key === undefined ? undefined : readableRow(documents, sends, key);
  const { variant, ...named } = marketingSend(app, sendId);
  const meta = {
    ...(userAgent === '' ? {} : { ua: userAgent.slice(0, userAgentCharsMax) }),
    ...(row?.test === true ? { test: true } : {}),
    ...(variant === undefined ? {} : { variant }),
  };
  const draft: EventDraft = {
    name: kind,
    person,
    atMs,
    id,
    channel: channelIds.indexOf('email') + 1,
    sendId,
    deviceId,
    ...(journeyId === undefined ? {} : { journeyId }),
    ...named,
    ...(kind === 'clicked' ? { propsJson: JSON.stringify({ url: tracked.url }) } : {}),
    metaJson: JSON.stringify(meta),
  };
  return {
    kind: 'events.tracked',
    owner,
    atMs: nowMs,
    keyless: false,
    batch: encodeDrafts([draft], nowMs),
  };
}

function wasSeen(state: CallbacksMemory, id: string, { owner, nowMs, ages }: Context): boolean {
  if (state.eventIdKey === undefined) return false;
  const bytes = Buffer.from(id);
  const hash: Hash64 = { high: 0, low: 0 };
  hash64(saltedKey(state.eventIdKey, owner), bytes, 0, bytes.length, hash);
  const hour = Math.floor(nowMs / hourMs);
  return state.eventIds.has(hash.high, hash.low, hour, oldestIdHour(ages, nowMs));
}
