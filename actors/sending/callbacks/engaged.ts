// An email was opened or a link in it clicked: an event of its reader, the send, and the campaign
// or journey. Mail programs reload pictures, so the same of one mail counts once an hour, of people
// and of machines apart: else a machine's look would hide a person's. Erased people leave no trace.

import { accepted, type Context, type Decision } from '../../../engine/actor/message.ts';
import { hourMs, type Millis, secondMs } from '../../../engine/base/brand.ts';
import { type Hash64, hash64 } from '../../../engine/base/hash.ts';
import { type SendRow, sends } from '../../../storage/tables/send.ts';
import { channelIds } from '../../channels/channel-ids.ts';
import { isMachineReader } from '../../channels/email/machine-readers.ts';
import type { Tracked } from '../../channels/email/tracked.ts';
import { saltedKey } from '../../events/ingest/ingest.ts';
import { type EventDraft, encodeDrafts } from '../../events/log/drafts.ts';
import type { EventsEntry } from '../../events/protocol.ts';
import { oldestIdHour } from '../../events/retention.ts';
import { readableRow } from '../../readable-row.ts';
import type { MailFact } from '../mailboxes/figures.ts';
import { MailTally } from '../mailboxes/tally.ts';
import { sendKey } from '../outbox/send-key.ts';
import { wayOf } from './mail-way.ts';
import { type CallbacksMemory, type CallbacksView, marketingSend } from './memory.ts';
import type { CallbacksProtocol } from './protocol.ts';

const userAgentCharsMax = 512;

/** Nobody reads a mail so soon after the mail server took it. */
const soonMs: Millis = 2 * secondMs;

/** Does nothing if it was recorded within this hour. `isLive`: mails leave this machine. */
export function engaged(
  state: CallbacksMemory,
  app: CallbacksView,
  { tracked, userAgent, isBurst }: CallbacksProtocol['callback.engaged']['body'],
  { isLive }: { readonly isLive: boolean },
  context: Context,
): Decision<null> {
  const { owner, nowMs, documents } = context;
  const { people } = app;
  if (tracked.person >= people.next) return accepted(null);
  const person = people.canonical(tracked.person);
  if (people.isGone(person)) return accepted(null);
  const { kind, sendId, deviceId, journeyId } = tracked;
  const key = sendKey(owner, sendId);
  const row = key === undefined ? undefined : readableRow(documents, sends, key);
  const isMachine =
    isBurst === true || isMachineReader(userAgent) || (isLive && isSoon(row, deviceId, nowMs));
  const id = `${tracked.mark}.${isMachine ? 'm.' : ''}${Math.floor(nowMs / hourMs)}`;
  if (wasSeen(state, id, context)) return accepted(null);
  const { variant, ...named } = marketingSend(app, sendId);
  const meta = {
    ...(userAgent === '' ? {} : { ua: userAgent.slice(0, userAgentCharsMax) }),
    ...(isMachine ? { machine: true } : {}),
    ...(row?.test === true ? { test: true } : {}),
    ...(variant === undefined ? {} : { variant }),
  };
  const draft: EventDraft = {
    name: kind,
    person,
    atMs: nowMs,
    id,
    channel: channelIds.indexOf('email') + 1,
    sendId,
    deviceId,
    ...(journeyId === undefined ? {} : { journeyId }),
    ...named,
    ...(kind === 'clicked' ? { propsJson: JSON.stringify({ url: tracked.url }) } : {}),
    metaJson: JSON.stringify(meta),
  };
  const entry: EventsEntry = {
    kind: 'events.tracked',
    owner,
    atMs: nowMs,
    keyless: false,
    batch: encodeDrafts([draft], nowMs),
  };
  const stream = row === undefined ? 'marketing' : 'transactional';
  const way = wayOf(app, { person, deviceId }, context, stream);
  const mails = new MailTally();
  mails.count(way, fact(kind, isMachine));
  const counted = mails.entries(app, context);
  return accepted(null, { entries: [entry, ...counted] });
}

function fact(kind: Tracked['kind'], isMachine: boolean): MailFact {
  if (kind === 'opened') return isMachine ? 'openedByMachines' : 'opened';
  return isMachine ? 'clickedByMachines' : 'clicked';
}

/** Right after the answer of the mail server. A campaign's mails have no record that says when. */
function isSoon(row: SendRow | undefined, deviceId: string, nowMs: Millis): boolean {
  const taken = row?.outcomes.findLast((one) => one.deviceId === deviceId);
  return taken !== undefined && nowMs - taken.atMs < soonMs;
}

function wasSeen(state: CallbacksMemory, id: string, { owner, nowMs, ages }: Context): boolean {
  if (state.eventIdKey === undefined) return false;
  const bytes = Buffer.from(id);
  const hash: Hash64 = { high: 0, low: 0 };
  hash64(saltedKey(state.eventIdKey, owner), bytes, 0, bytes.length, hash);
  const hour = Math.floor(nowMs / hourMs);
  return state.eventIds.has(hash.high, hash.low, hour, oldestIdHour(ages, nowMs));
}
