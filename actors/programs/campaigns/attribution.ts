// Folds receipts, opens, clicks and goal events into their occurrence. Devices report one by one
// and people count once, so a person's status may change until their last device has reported.

import { hourMs, type Millis, type PersonOrdinal } from '../../../engine/base/brand.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import type { EventBatch } from '../../events/log/event-batch.ts';
import { isMarkedMachine } from '../../events/log/machine-mark.ts';
import type { Unsubscribed } from '../../people/audience/protocol.ts';
import { namedSend, numberInIds } from '../../sending/campaign-send-id.ts';
import type { Origin, Receipt } from '../../sending/outbox/records.ts';
import { variantFor } from './bucketing.ts';
import { addAccepted, type Leaving, type Mark } from './funnel.ts';
import type { CampaignsView } from './memory.ts';
import { type Occurrence, planOf } from './occurrence.ts';
import type { CampaignRecord } from './records.ts';

/** The result of a device's last attempt. */
interface DeviceReceipt {
  readonly person: PersonOrdinal;
  readonly status: Receipt['status'];
  readonly reason?: string;
  /** It had failed before: an operator redrove it, or the provider reported its outcome late. */
  readonly isRedriven: boolean;
  /** No other device of the same send is open. */
  readonly isLast: boolean;
}

/** Counts a device's result. Does nothing once the occurrence has been reduced to its counters. */
export function foldReceipt(
  app: CampaignsView,
  { campaignId, occurrence: number }: Pick<Origin, 'campaignId' | 'occurrence'>,
  channel: ChannelId,
  receipt: DeviceReceipt,
): void {
  const campaign = campaignId === undefined ? undefined : app.campaigns.get(campaignId);
  if (campaign === undefined) return;
  const occurrence = app.sending.find(campaign.id, number ?? 0);
  if (occurrence === undefined) return;
  if (receipt.isLast) occurrence.inFlight--;
  const person = app.people.canonical(receipt.person);
  count(app, campaign, occurrence, channel, { ...receipt, person });
}

/** Undoes a delivery the provider took back; people reached on another device stay delivered. */
export function foldLateBounce(
  app: CampaignsView,
  { campaignId, occurrence: number }: Pick<Origin, 'campaignId' | 'occurrence'>,
  channel: ChannelId,
  { person: who, reason }: Pick<DeviceReceipt, 'person' | 'reason'>,
): void {
  const campaign = campaignId === undefined ? undefined : app.campaigns.get(campaignId);
  const occurrence = campaign && app.sending.find(campaign.id, number ?? 0);
  if (campaign === undefined || occurrence === undefined) return;
  const person = app.people.canonical(who);
  const { tally } = occurrence;
  if (!tally.has(person, 'delivered')) return;
  occurrence.guard.bouncedLate(channel, person, reason);
  const devices = tally.channels[channelIds.indexOf(channel)];
  if (devices !== undefined) {
    devices.delivered--;
    devices.bounced++;
  }
  tally.takeBack(person, variantFor(planOf(campaign, occurrence), occurrence, person));
}

/** What a relay reports on a mail that it had accepted. */
export function foldReported(
  app: CampaignsView,
  { campaignId, occurrence: number }: Pick<Origin, 'campaignId' | 'occurrence'>,
  channel: ChannelId,
  {
    person: who,
    status,
    reason,
  }: Pick<DeviceReceipt, 'person' | 'reason'> & { readonly status: 'delivered' | 'bounced' },
): void {
  const campaign = campaignId === undefined ? undefined : app.campaigns.get(campaignId);
  const occurrence = campaign && app.sending.find(campaign.id, number ?? 0);
  if (campaign === undefined || occurrence === undefined) return;
  const person = app.people.canonical(who);
  const { tally, guard } = occurrence;
  if (!tally.awaits(person)) return;
  if (status === 'bounced') guard.bouncedLate(channel, person, reason);
  const devices = tally.channels[channelIds.indexOf(channel)];
  if (devices !== undefined) {
    addAccepted(devices, -1);
    devices[status]++;
  }
  tally.reported(person, status, variantFor(planOf(campaign, occurrence), occurrence, person));
}

function count(
  app: CampaignsView,
  campaign: CampaignRecord,
  occurrence: Occurrence,
  channel: ChannelId,
  { person, status, reason, isRedriven }: DeviceReceipt,
): void {
  const { tally, guard } = occurrence;
  guard.ended(channel, person, status, reason);
  const variant = variantFor(planOf(campaign, occurrence), occurrence, person);
  const devices = tally.channels[channelIds.indexOf(channel)];
  if (devices !== undefined) {
    if (status === 'accepted') addAccepted(devices, 1);
    else devices[status]++;
    if (isRedriven) devices.failed--;
    else if (status === 'suppressed') devices.sent--; // never handed to a provider
  }
  if (status !== 'suppressed') {
    if (status === 'accepted') tally.accept(person, variant);
    else tally.mark(person, status, variant);
    tally.mark(person, 'sent', variant);
    return;
  }
  tally.suppress(person, reason ?? status, variant);
  if (!tally.hasOutcome(person) && !isUnderWay(app, campaign.id, occurrence, person))
    tally.unmark(person, 'sent', variant);
}

/** Whether an occurrence still has an open send to a person, on any channel or device. */
function isUnderWay(
  { people, outbox, sending }: CampaignsView,
  campaignId: string,
  { number }: Occurrence,
  person: PersonOrdinal,
): boolean {
  const isSame = (one: Pick<Origin, 'campaignId' | 'occurrence'> | undefined) =>
    one?.campaignId === campaignId && one.occurrence === number;
  if (outbox.begunOf(person).some(({ origin }) => isSame(origin))) return true;
  const names = [person, ...people.aliasesOf(person)];
  for (const wave of sending.waves.values())
    if (isSame(wave) && names.some((name) => wave.find(name) >= 0)) return true;
  return false;
}

/** Counts opens, clicks and goal events. Other batches only cost a look at each of their names. */
export function foldEngagement(
  app: CampaignsView,
  batch: EventBatch,
  facts: { isVouched(person: PersonOrdinal): boolean },
): void {
  const { sending, campaigns, people, readingHours } = app;
  const goals = sending.goals(campaigns);
  const engagements = batch.names.map(engagementOf);
  const pursued = batch.names.map((name) => goals.get(name));
  if (engagements.every((one) => one === undefined) && pursued.every((one) => one === undefined))
    return;
  const needsProof = app.settings.keylessEvents?.countEngagement === false;
  for (let row = 0; row < batch.count; row++) {
    const name = batch.nameIndex(row);
    const engagement = engagements[name];
    const pursuing = pursued[name];
    if (engagement === undefined && pursuing === undefined) continue;
    const person = people.canonical(batch.person(row));
    if (needsProof && !facts.isVouched(person)) continue;
    if (engagement !== undefined && isMarkedMachine(batch.metaJson(row))) continue;
    if (engagement !== undefined) {
      readingHours.note(person, batch.atMs(row));
      const found = occurrenceOf(app, person, {
        sendId: batch.reference(row, 'sendId'),
        campaignId: batch.reference(row, 'campaignId'),
      });
      const isRecipient = found !== undefined && markRecipient(found, person, engagement);
      if (isRecipient && engagement === 'clicked')
        countClick(app, found.campaign, person, batch.propsJson(row));
    }
    for (const campaign of pursuing ?? [])
      convert(app, campaign, batch.names[name], person, batch.atMs(row));
  }
}

function engagementOf(name: string): 'opened' | 'clicked' | undefined {
  return name === 'opened' || name === 'clicked' ? name : undefined;
}

/** Longer ones, of clients, count for no link. */
const urlCharsMax = 2_000;

function countClick(
  { sending }: CampaignsView,
  { id }: CampaignRecord,
  person: PersonOrdinal,
  propsJson = '{}',
): void {
  const { url } = JSON.parse(propsJson) as { readonly url?: unknown };
  if (typeof url === 'string' && url !== '' && url.length <= urlCharsMax)
    sending.click(id, url, person);
}

interface Found {
  readonly campaign: CampaignRecord;
  readonly occurrence: Occurrence;
}

/** The occurrence an event belongs to: that of its send, else the newest one sent to the person. */
function occurrenceOf(
  { sending, campaigns }: CampaignsView,
  person: PersonOrdinal,
  { sendId, campaignId }: Readonly<Record<'sendId' | 'campaignId', string | undefined>>,
): Found | undefined {
  const named = sendId === undefined ? undefined : namedSend(sendId);
  if (named !== undefined)
    for (const { campaignId: id, occurrence } of sending.begunAt(named.startedMs)) {
      const campaign = campaigns.get(id);
      if (campaign !== undefined && numberInIds(campaign.number) === named.number)
        return { campaign, occurrence };
    }
  const campaign = campaignId === undefined ? undefined : campaigns.get(campaignId);
  if (campaign === undefined) return undefined;
  const occurrence = sending.of(campaign.id).findLast(({ tally }) => tally.has(person, 'sent'));
  return occurrence && { campaign, occurrence };
}

/** Counts who left by a message of a campaign; a report of spam is counted as such. */
export function foldUnsubscribed(app: CampaignsView, { about, source }: Unsubscribed): void {
  if (about === undefined || source === 'bounce') return;
  foldLeaving(app, about.sendId, 'unsubscribed');
}

/** The same of who left the topic of a campaign alone. */
export function foldLeftTopic(
  app: CampaignsView,
  { about }: { readonly about: { readonly sendId: string } | undefined },
): void {
  if (about !== undefined) foldLeaving(app, about.sendId, 'unsubscribed');
}

/** Counts a report of spam: for the person once, for the guard each. */
export function foldComplaint(app: CampaignsView, sendId: string): void {
  foldLeaving(app, sendId, 'complained');
}

/** Nobody but who was sent the message leaves by it. */
function foldLeaving(app: CampaignsView, sendId: string, way: Leaving): void {
  const named = namedSend(sendId);
  if (named === undefined) return;
  const person = app.people.canonical(named.person);
  const found = occurrenceOf(app, person, { sendId, campaignId: undefined });
  if (found === undefined || !found.occurrence.tally.has(person, 'sent')) return;
  const { campaign, occurrence } = found;
  if (way === 'complained') occurrence.guard.complained(person);
  const variant = variantFor(planOf(campaign, occurrence), occurrence, person);
  occurrence.tally.leave(person, way, variant);
}

/** False if they were not sent it. */
function markRecipient(
  { campaign, occurrence }: Found,
  person: PersonOrdinal,
  mark: Mark,
): boolean {
  const { tally } = occurrence;
  // They reacted to something not sent to them, such as a forwarded email.
  if (!tally.has(person, 'sent')) return false;
  tally.mark(person, mark, variantFor(planOf(campaign, occurrence), occurrence, person));
  return true;
}

/** Counts a goal event after the person's own send, and in the comparison with the holdout. */
function convert(
  { sending, people }: CampaignsView,
  campaign: CampaignRecord,
  event: string | undefined,
  person: PersonOrdinal,
  atMs: Millis,
): void {
  for (const occurrence of sending.of(campaign.id)) {
    const plan = planOf(campaign, occurrence);
    const { goal } = plan;
    if (goal === undefined || goal.event !== event) continue;
    const spanMs = goal.withinHours * hourMs;
    const sentMs = occurrence.sentTimes.at(person);
    if (sentMs > 0 && atMs >= sentMs && atMs - sentMs <= spanMs)
      markRecipient({ campaign, occurrence }, person, 'converted');
    const { groups, winner } = occurrence;
    const sinceMs = occurrence.startedMs - occurrence.aheadMs;
    const names = [person, ...people.aliasesOf(person)];
    groups?.convert(plan, winner, names, { atMs, sinceMs, spanMs });
  }
}
