// An email was opened or a link in it clicked: an event of its reader, the send, and the campaign
// or journey. Mail programs reload pictures, so the same of one mail counts once an hour, of people
// and of machines apart: else a machine's look would hide a person's. Erased people leave no trace.

import { accepted, type Context, type Decision } from '../../../engine/actor/message.ts';
import { hourMs, type Millis, secondMs } from '../../../engine/base/brand.ts';
import { sends } from '../../../storage/tables/send.ts';
import { channelIds } from '../../channels/channel-ids.ts';
import { isMachineReader } from '../../channels/email/machine-readers.ts';
import type { Tracked } from '../../channels/email/tracked.ts';
import { type EventDraft, encodeDrafts } from '../../events/log/drafts.ts';
import type { EventsEntry } from '../../events/protocol.ts';
import { seenIdOf, wasSeen } from '../../events/seen-ids.ts';
import { readableRow } from '../../readable-row.ts';
import type { MailFact } from '../mailboxes/figures.ts';
import type { MailboxesEntry } from '../mailboxes/protocol.ts';
import { MailTally } from '../mailboxes/tally.ts';
import { sendKey } from '../outbox/send-key.ts';
import { mailWayOf } from './mail-way.ts';
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
  const isSoon = isLive && wasJustTaken(tracked, context);
  const read = { ...tracked, userAgent, byMachine: isBurst === true || isSoon };
  const entries = engagement(state, app, read, context);
  return entries === undefined ? accepted(null) : accepted(null, { entries });
}

/** `atMs`: when it was, if not now. `undefined` if it was recorded for that hour. */
export function engagement(
  state: CallbacksMemory,
  app: CallbacksView,
  tracked: Omit<Tracked, 'app' | 'url'> & {
    readonly url?: string;
    readonly userAgent: string;
    readonly atMs?: Millis;
    /** As far as is known besides the program's name. */
    readonly byMachine?: boolean;
    /** The relay that reports it. */
    readonly relay?: string;
  },
  context: Context,
): readonly (EventsEntry | MailboxesEntry)[] | undefined {
  const { owner, nowMs, documents } = context;
  const { people } = app;
  if (tracked.person >= people.next) return undefined;
  const person = people.canonical(tracked.person);
  if (people.isGone(person)) return undefined;
  const { userAgent, atMs = nowMs, byMachine, relay } = tracked;
  const { kind, sendId, deviceId, journeyId } = tracked;
  const key = sendKey(owner, sendId);
  const row = key === undefined ? undefined : readableRow(documents, sends, key);
  const isMachine = byMachine === true || isMachineReader(userAgent);
  const id = `${tracked.mark}.${isMachine ? 'm.' : ''}${Math.floor(atMs / hourMs)}`;
  const seen = seenIdOf(state, id, context);
  if (seen !== undefined && wasSeen(state, seen, context)) return undefined;
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
  const entry: EventsEntry = {
    kind: 'events.tracked',
    owner,
    atMs: nowMs,
    keyless: false,
    batch: encodeDrafts([draft], nowMs),
  };
  const way = mailWayOf(app, { sendId, deviceId, person }, context, relay);
  const mails = new MailTally();
  mails.count(way, fact(kind, isMachine));
  return [entry, ...mails.entries(app, context)];
}

function fact(kind: Tracked['kind'], isMachine: boolean): MailFact {
  if (kind === 'opened') return isMachine ? 'openedByMachines' : 'opened';
  return isMachine ? 'clickedByMachines' : 'clicked';
}

/** Right after the answer of the mail server. A campaign's mails have no record that says when. */
function wasJustTaken(
  { sendId, deviceId }: Pick<Tracked, 'sendId' | 'deviceId'>,
  { owner, nowMs, documents }: Context,
): boolean {
  const key = sendKey(owner, sendId);
  const row = key === undefined ? undefined : readableRow(documents, sends, key);
  const taken = row?.outcomes.findLast((one) => one.deviceId === deviceId);
  return taken !== undefined && nowMs - taken.atMs < soonMs;
}
