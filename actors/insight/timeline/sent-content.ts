// What a send said. A transactional send's row has it as it was rendered. A campaign or a journey
// keeps a copy of its message and no rendering of anybody's, so a send of theirs is rendered again
// from that copy, and the answer says whether its values can have changed since.

import type { Context } from '../../../engine/actor/message.ts';
import { dayMs, type Millis, type PersonOrdinal } from '../../../engine/base/brand.ts';
import { parseId } from '../../../engine/base/id.ts';
import { contentCopies } from '../../../storage/tables/content-copy.ts';
import type { SendRow } from '../../../storage/tables/send.ts';
import { subscribers } from '../../../storage/tables/subscriber.ts';
import { type ChannelId, channelIds, isChannelId } from '../../channels/channel-ids.ts';
import { contentFor } from '../../content/render/content-for.ts';
import type { MessageContent } from '../../content/shape/message-schema.ts';
import type { UtmParameters } from '../../content/shape/utm-facts.ts';
import { variantFor } from '../../programs/campaigns/bucketing.ts';
import { variantCopyKey } from '../../programs/campaigns/copies.ts';
import { planOf } from '../../programs/campaigns/occurrence.ts';
import { attributedMs } from '../../programs/campaigns/sending.ts';
import { copyOfStepAt, stepCopyKey } from '../../programs/journeys/copies.ts';
import { readableRow } from '../../readable-row.ts';
import { namedSend, numberInIds } from '../../sending/campaign-send-id.ts';
import { isErased } from '../../sending/outbox/erased.ts';
import type { Job } from '../../sending/outbox/job.ts';
import { readableSend } from '../../sending/outbox/readable-send.ts';
import type { SendContent } from '../../sending/outbox/records.ts';
import { sendKey } from '../../sending/outbox/send-key.ts';
import { storedWithUtm, utmOfOrigin } from '../../sending/outbox/utm-of-send.ts';
import { keptDaysOf } from '../../tenants/accounts/records.ts';
import { isFixed } from './fixed-content.ts';
import type { TimelineView } from './memory.ts';
import type { SendReceipt, SentContent, SentItem } from './protocol.ts';

export const notKept: SentContent = { state: 'not_kept', items: [] };
const erased: SentContent = { state: 'erased', items: [] };
const notRendered: SentContent = { state: 'not_rendered', items: [] };

type Reading = Pick<Context, 'owner' | 'documents'>;

/**
 * `unfound`: a journey's send that is over, whose id does not name its person. `receipts`: its
 * events, which do.
 */
export function contentOfSend(
  app: TimelineView,
  sendId: string,
  reading: Reading,
  receipts?: readonly SendReceipt[],
): SentContent | 'unfound' {
  const { owner, documents } = reading;
  if (sendKey(owner, sendId) === undefined) return notKept;
  const row = readableSend(documents, owner, sendId);
  if (row !== undefined) return ofRow(app, row);
  const job = app.outbox.jobs.get(sendId);
  if (job !== undefined) return ofJob(app, job, reading);
  if (app.journeys.stepOfSend(sendId) === undefined) return ofCampaign(app, sendId, reading);
  return receipts === undefined ? 'unfound' : ofJourney(app, sendId, receipts, reading);
}

function ofRow(app: TimelineView, row: SendRow): SentContent {
  const { plain, email = plain } = row.content as Partial<SendContent>;
  if (isErased(app.people, row.person) || plain === undefined) return erased;
  // Other channels ignore what a mail has besides its text.
  const { mail: _mail, ...text } = plain;
  const items = [...devicesOf(row.targets)].map(([channel, deviceIds]): SentItem => {
    const own = channel === 'email' && email !== undefined ? email : text;
    const content = storedWithUtm(app, own, channel, row.acceptedMs);
    return { channel, deviceIds, content };
  });
  return {
    state: 'as_sent',
    // To nobody's device, the message is shown on no channel.
    items: items.length > 0 ? items : [{ deviceIds: [], content: plain }],
    keptUntilMs: row.acceptedMs + keptDaysOf(app.settings) * dayMs,
  };
}

/** A send of a campaign or journey that is not over; it is rendered for each attempt. */
function ofJob(app: TimelineView, job: Job, reading: Reading): SentContent {
  const { origin, person, acceptedMs } = job;
  const copy = origin && readableRow(reading.documents, contentCopies, [origin.copy]);
  if (origin === undefined || copy === undefined) return notKept;
  const begun = job.targets.filter(({ attempts }) => attempts > 0);
  const message = copy.content as MessageContent;
  const utm = (channel: ChannelId) => utmOfOrigin(app, origin, channel, acceptedMs);
  return rendered(app, { message, to: devicesOf(begun), person, atMs: acceptedMs, utm }, reading);
}

function ofCampaign(app: TimelineView, sendId: string, reading: Reading): SentContent {
  const named = namedSend(sendId);
  const channel = channelIds[named?.channel ?? -1];
  if (named === undefined || channel === undefined) return notKept;
  const { startedMs, number, person } = named;
  for (const { campaignId, occurrence } of app.sending.begunAt(startedMs)) {
    const campaign = app.campaigns.get(campaignId);
    if (campaign === undefined || numberInIds(campaign.number) !== number) continue;
    const canonical = app.people.canonical(person);
    if (isErased(app.people, person)) return erased;
    const plan = planOf(campaign, occurrence);
    if (!occurrence.wasCalledOn(plan, canonical, named.channel)) return notRendered;
    const key = variantCopyKey(plan, variantFor(plan, occurrence, person));
    const copy = readableRow(reading.documents, contentCopies, [key]);
    if (copy === undefined) return notKept;
    const message = copy.content as MessageContent;
    const to = new Map([[channel, []]]);
    const from = { copy: key, campaignId };
    const utm = (one: ChannelId) => utmOfOrigin(app, from, one, startedMs);
    const { endedMs } = occurrence;
    return {
      ...rendered(app, { message, to, person, atMs: startedMs, utm }, reading),
      ...(endedMs === null ? {} : { keptUntilMs: endedMs + attributedMs }),
    };
  }
  return notKept;
}

const calledNames: ReadonlySet<string> = new Set(['sent', 'delivered', 'bounced', 'failed']);

function ofJourney(
  app: TimelineView,
  sendId: string,
  receipts: readonly SendReceipt[],
  reading: Reading,
): SentContent {
  const found = app.journeys.stepOfSend(sendId);
  const subscriber = parseId('sub', receipts[0]?.subscriberId ?? '');
  const atMs = parseId('ntf', sendId)?.atMs;
  if (found === undefined || subscriber === undefined || atMs === undefined) return notKept;
  const person = subscriber.low32;
  if (isErased(app.people, person)) return erased;
  const called = receipts.filter(({ name }) => calledNames.has(name));
  if (called.length === 0) return notRendered;
  const copy = copyOfStepAt(found.journey.record, found.step, atMs, reading);
  if (copy === undefined) return notKept;
  const to = devicesOf(called);
  const { id: journeyId } = found.journey.record;
  const from = { copy: stepCopyKey(found.journey.record, found.step), journeyId };
  const utm = (channel: ChannelId) => utmOfOrigin(app, from, channel, atMs);
  const content = rendered(app, { message: copy.content, to, person, atMs, utm }, reading);
  return {
    ...content,
    ...(copy.isSure || content.state !== 'as_sent' ? {} : { state: 'may_differ' }),
    keptUntilMs: atMs + keptDaysOf(app.settings) * dayMs,
  };
}

type DevicesByChannel = ReadonlyMap<ChannelId, readonly string[]>;

/** The devices of each channel, once each. */
function devicesOf(
  targets: readonly { readonly channel: string | null; readonly deviceId: string | null }[],
): DevicesByChannel {
  const devices = new Map<ChannelId, string[]>();
  for (const { channel, deviceId } of targets) {
    if (channel === null || !isChannelId(channel)) continue;
    const known = devices.get(channel) ?? [];
    devices.set(channel, known);
    if (deviceId !== null && !known.includes(deviceId)) known.push(deviceId);
  }
  return devices;
}

interface Rendering {
  readonly message: MessageContent;
  readonly to: DevicesByChannel;
  /** As the send names them, whoever that is by now. */
  readonly person: PersonOrdinal;
  /** Not after the send. */
  readonly atMs: Millis;
  /** As the app sets them today. */
  readonly utm: (channel: ChannelId) => UtmParameters | undefined;
}

/** What does not render for a person was sent to nobody. */
function rendered(
  app: TimelineView,
  { message, to, person, atMs, utm }: Rendering,
  { documents }: Pick<Reading, 'documents'>,
): SentContent {
  if (isErased(app.people, person)) return erased;
  const canonical = app.people.canonical(person);
  const row = readableRow(documents, subscribers, [canonical]);
  if (row === undefined) return app.people.isGone(canonical) ? erased : notKept;
  const items = [...to].flatMap(([channel, deviceIds]): readonly SentItem[] => {
    const shown = contentFor(message, row, app.record, channel, atMs, undefined, utm(channel));
    return 'fault' in shown ? [] : [{ channel, deviceIds, content: shown.content }];
  });
  if (items.length === 0) return notRendered;
  const isLinked = message.utm !== false && app.settings.utm != null;
  const isSame = !isLinked && isFixed(message, row, { person, atMs });
  return { state: isSame ? 'as_sent' : 'may_differ', items };
}
