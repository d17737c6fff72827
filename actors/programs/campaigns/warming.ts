// Campaigns whose sender domain is warming up: they wait in their lanes until a day has room.

import type { Millis } from '../../../engine/base/brand.ts';
import { channelIds } from '../../channels/channel-ids.ts';
import { WarmUpForecast } from '../../sending/warm-up/forecast.ts';
import type { WarmingProviders } from '../../sending/warm-up/reads.ts';
import { WarmUpRoom } from '../../sending/warm-up/room.ts';
import { guardStop } from './guarding.ts';
import type { CampaignLane } from './lane.ts';
import type { CampaignsView } from './memory.ts';
import type { Occurrence } from './occurrence.ts';
import type { Waiting } from './protocol.ts';

const email = channelIds.indexOf('email');

/** Campaigns with emails to send now: they share the day. */
export function campaignsWaiting(app: CampaignsView): ReadonlySet<string> {
  const waiting = new Set<string>();
  for (const campaign of app.campaigns.unfinishedRecords()) {
    if (campaign.state !== 'sending' || guardStop(app, campaign) !== undefined) continue;
    if (app.sending.of(campaign.id).some(awaitsEmails)) waiting.add(campaign.id);
  }
  return waiting;
}

function awaitsEmails({ lanes, stage }: Pick<Occurrence, 'lanes' | 'stage'>): boolean {
  return stage !== 'ended' && lanes.some(isWaiting);
}

/** When the day's number is another one, for people who wait for it; else `undefined`. */
export function warmUpUntilMs(
  app: CampaignsView,
  occurrence: Occurrence,
  nowMs: Millis,
): Millis | undefined {
  if (app.warmUps.size === 0 || !awaitsEmails(occurrence)) return undefined;
  return WarmUpRoom.of(app, nowMs)?.untilMs;
}

/** Why emails wait, if today's number is used up. */
export function warmUpWait(
  app: WarmingProviders,
  { lanes }: Pick<Occurrence, 'lanes'>,
  nowMs: Millis,
): Waiting | undefined {
  const people = emailsWaiting(lanes);
  const room = people === 0 ? undefined : WarmUpRoom.of(app, nowMs);
  if (room === undefined || !room.isUsedUp) return undefined;
  const { domain, untilMs } = room;
  const text = `${domain} is warming up and may send no more emails today; the rest follow from 00:00 UTC`;
  return { reason: 'warm_up', text, untilMs, people };
}

/** When the last of the emails that wait will leave; `undefined`: nothing keeps them back. */
export function warmUpEndMs(
  app: WarmingProviders,
  open: readonly Pick<Occurrence, 'lanes'>[],
  nowMs: Millis,
): Millis | undefined {
  const people = open.reduce((sum, { lanes }) => sum + emailsWaiting(lanes), 0);
  return people === 0 ? undefined : WarmUpForecast.of(app, nowMs)?.lastDayOf(people);
}

function emailsWaiting(lanes: readonly CampaignLane[]): number {
  return lanes.reduce((sum, lane) => sum + (isWaiting(lane) ? lane.left : 0), 0);
}

function isWaiting({ channel, left }: CampaignLane): boolean {
  return channel === email && left > 0;
}
