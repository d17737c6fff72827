// Folds what comes back from people and providers into the occurrence it belongs to: receipts of
// devices, opens and clicks, and the events that campaigns are for. What a reader would get wrong:
// devices answer one by one and people count once, so a person's place in the funnel may move until
// the last of their devices has answered.

import { hourMs, type Millis, type PersonOrdinal } from '../../../engine/base/brand.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import type { EventBatch } from '../../events/event-batch.ts';
import { namedSend, numberInIds } from '../../sending/campaign-send-id.ts';
import type { Origin, Receipt } from '../../sending/transactional/protocol.ts';
import type { Occurrence } from './occurrence.ts';
import type { CampaignRecord } from './records.ts';
import type { Mark } from './tally.ts';
import { variantFor } from './variant-for.ts';
import type { CampaignsView } from './view.ts';

/** What a device's last try came to. */
export interface Answered {
  readonly person: PersonOrdinal;
  readonly status: Receipt['status'];
  readonly reason?: string;
  /**
   * It had failed before, and an operator sent it again, or its provider told what became of it.
   */
  readonly isRedriven: boolean;
  /** No other device of the same send is open. */
  readonly isLast: boolean;
}

/** A device of a campaign's send answered. Nothing is left to count for one that ended long ago. */
export function foldAnswer(
  app: CampaignsView,
  { campaignId, occurrence: number }: Pick<Origin, 'campaignId' | 'occurrence'>,
  channel: ChannelId,
  answered: Answered,
): void {
  const campaign = campaignId === undefined ? undefined : app.campaigns.get(campaignId);
  if (campaign === undefined) return;
  const occurrence = app.sending.find(campaign.id, number ?? 0);
  if (occurrence === undefined) return;
  if (answered.isLast) occurrence.inFlight--;
  const person = app.people.canonical(answered.person);
  count(app, campaign, occurrence, channel, { ...answered, person });
}

/**
 * A provider takes back a delivery that was counted; a person whom another device brought it to
 * stays delivered.
 */
export function foldLateBounce(
  app: CampaignsView,
  { campaignId, occurrence: number }: Pick<Origin, 'campaignId' | 'occurrence'>,
  channel: ChannelId,
  who: PersonOrdinal,
): void {
  const campaign = campaignId === undefined ? undefined : app.campaigns.get(campaignId);
  const occurrence = campaign && app.sending.find(campaign.id, number ?? 0);
  if (campaign === undefined || occurrence === undefined) return;
  const person = app.people.canonical(who);
  const { tally } = occurrence;
  if (!tally.has(person, 'delivered')) return;
  const devices = tally.channels[channelIds.indexOf(channel)];
  if (devices !== undefined) {
    devices.delivered--;
    devices.bounced++;
  }
  tally.takeBack(person, variantFor(campaign, occurrence, person));
}

function count(
  app: CampaignsView,
  campaign: CampaignRecord,
  occurrence: Occurrence,
  channel: ChannelId,
  { person, status, reason, isRedriven }: Answered,
): void {
  const { tally } = occurrence;
  const variant = variantFor(campaign, occurrence, person);
  const devices = tally.channels[channelIds.indexOf(channel)];
  if (devices !== undefined) {
    devices[status]++;
    if (isRedriven) devices.failed--;
    else if (status === 'suppressed') devices.sent--; // no provider heard of it
  }
  if (status !== 'suppressed') {
    tally.mark(person, status, variant);
    tally.mark(person, 'sent', variant);
    return;
  }
  tally.suppress(person, reason ?? status, variant);
  if (!tally.hasOutcome(person) && !isUnderWay(app, campaign.id, occurrence, person))
    tally.unmark(person, 'sent', variant); // no provider heard of them at all
}

/**
 * Whether something of an occurrence is still out for a person, on another channel or to another
 * device.
 */
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

/**
 * Opens, clicks and conversions among tracked events. A batch whose names say nothing of the kind
 * costs a look at each name.
 */
export function foldEngagement(app: CampaignsView, batch: EventBatch): void {
  const { sending, campaigns, people, readingHours } = app;
  const goals = sending.goals(campaigns);
  const engagements = batch.names.map(engagementOf);
  const pursued = batch.names.map((name) => goals.get(name));
  if (engagements.every((one) => one === undefined) && pursued.every((one) => one === undefined))
    return;
  for (let row = 0; row < batch.count; row++) {
    const name = batch.nameIndex(row);
    const engagement = engagements[name];
    const pursuing = pursued[name];
    if (engagement === undefined && pursuing === undefined) continue;
    const person = people.canonical(batch.person(row));
    if (engagement !== undefined) {
      readingHours.note(person, batch.atMs(row));
      const found = answeredBy(app, person, {
        sendId: batch.reference(row, 'sendId'),
        campaignId: batch.reference(row, 'campaignId'),
      });
      if (found !== undefined) say(found, person, engagement);
    }
    for (const campaign of pursuing ?? []) convert(app, campaign, person, batch.atMs(row));
  }
}

function engagementOf(name: string): 'opened' | 'clicked' | undefined {
  return name === 'opened' || name === 'clicked' ? name : undefined;
}

interface Found {
  readonly campaign: CampaignRecord;
  readonly occurrence: Occurrence;
}

/**
 * The occurrence that an event answers: the one its send was of, or else the newest of its campaign
 * that the person was sent.
 */
function answeredBy(
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

function say({ campaign, occurrence }: Found, person: PersonOrdinal, mark: Mark): void {
  const { tally } = occurrence;
  // Whoever was sent nothing answered something else: a forwarded mail, another device.
  if (!tally.has(person, 'sent')) return;
  tally.mark(person, mark, variantFor(campaign, occurrence, person));
}

/** An event that a campaign is for, of somebody who was sent it within the goal's hours. */
function convert(
  { sending }: CampaignsView,
  campaign: CampaignRecord,
  person: PersonOrdinal,
  atMs: Millis,
): void {
  const spanMs = (campaign.goal?.withinHours ?? 0) * hourMs;
  for (const occurrence of sending.of(campaign.id)) {
    const sentMs = occurrence.sentTimes.at(person);
    if (sentMs > 0 && atMs >= sentMs && atMs - sentMs <= spanMs)
      say({ campaign, occurrence }, person, 'converted');
  }
}
