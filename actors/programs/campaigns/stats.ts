// A campaign's statistics, from counters kept as receipts come, so the cost does not depend on the
// audience. Totals are sums over occurrences; a person counts once in each.

import type { Millis } from '../../../engine/base/brand.ts';
import { channelIds } from '../../channels/channel-ids.ts';
import {
  addCounts,
  type ChannelFunnel,
  closedFunnel,
  type Funnel,
  noChannelFunnel,
  noFunnel,
  type Tallied,
} from './funnel.ts';
import { GroupSums } from './group-sums.ts';
import { progressOf } from './progress.ts';
import type { CampaignStats } from './protocol.ts';
import { ratesOf } from './rates.ts';
import type { StatsReads } from './reads.ts';
import type { CampaignRecord } from './records.ts';
import { type PastOccurrence, pastOf } from './sending.ts';

const occurrencesMax = 100;

/** Of all its occurrences, or of one. */
export function statsOf(
  app: StatsReads,
  campaign: CampaignRecord,
  nowMs: Millis,
  only?: number,
): CampaignStats {
  const { id, name, state, stateReason } = campaign;
  const all = [...app.sending.past(id), ...app.sending.of(id).map(pastOf)];
  const occurrences = all.filter(({ number }) => only === undefined || number === only);
  const people: Tallied<Funnel> = noFunnel();
  const channels = channelIds.map(noChannelFunnel);
  const variants = new Map<string, Tallied<Funnel>>(
    (campaign.variants ?? []).map((variant) => [variant.id, noFunnel()]),
  );
  const suppressedBy = new Map<string, number>();
  const deferredBy = new Map<string, number>();
  const groups = new GroupSums();
  let audience = 0;
  for (const one of occurrences) {
    addCounts(people, closedFunnel(one.people));
    one.channels.forEach((counts, index) => {
      addCounts<keyof ChannelFunnel>(channels[index] ?? noChannelFunnel(), counts);
    });
    for (const [variant, counts] of one.variants) {
      const sum = variants.get(variant) ?? noFunnel();
      variants.set(variant, sum);
      addCounts(sum, closedFunnel(counts));
    }
    addReasons(suppressedBy, one.suppressedBy);
    addReasons(deferredBy, one.deferredBy);
    audience += one.audienceCount;
    groups.add(one);
  }
  const devices: Tallied<ChannelFunnel> = noChannelFunnel();
  for (const counts of channels) addCounts<keyof ChannelFunnel>(devices, counts);
  const { suppressed: _suppressed, ...deviceCounts } = devices;
  return {
    campaignId: id,
    name,
    state,
    ...(stateReason === undefined ? {} : { stateReason }),
    audience,
    ...people,
    ...groups.comparison(),
    rates: ratesOf(people, campaign.goal !== undefined),
    devices: deviceCounts,
    byChannel: Object.fromEntries(
      channelIds.flatMap((channel, index) => {
        const counts = channels[index] as ChannelFunnel;
        return counts.sent + counts.suppressed === 0 ? [] : [[channel, counts]];
      }),
    ),
    byVariant: Object.fromEntries(
      [...variants].map(([variant, counts]) => [
        variant,
        { ...counts, ...groups.comparisonOf(variant) },
      ]),
    ),
    occurrences: occurrences.slice(-occurrencesMax).reverse().map(shown),
    fallback: fallbackOf(occurrences),
    suppressedBy: Object.fromEntries(suppressedBy),
    deferredBy: Object.fromEntries(deferredBy),
    progress: progressOf(app, campaign, nowMs),
  };
}

function fallbackOf(occurrences: readonly PastOccurrence[]): CampaignStats['fallback'] {
  const reasons = new Map<string, number>();
  let eligible = 0;
  let sent = 0;
  let suppressed = 0;
  for (const one of occurrences) {
    eligible += one.eligible;
    sent += one.fallbackSent;
    const why = one.fallbackSuppressedBy ?? [];
    addReasons(reasons, why);
    for (const [, people] of why) suppressed += people;
  }
  return { eligible, sent, suppressed, suppressedBy: Object.fromEntries(reasons) };
}

function shown(one: PastOccurrence): CampaignStats['occurrences'][number] {
  const { number, startedMs, endedMs, audienceCount: audience, nextDay, winner } = one;
  const groups = new GroupSums();
  groups.add(one);
  return {
    number,
    startedMs,
    endedMs,
    audience,
    ...closedFunnel(one.people),
    ...groups.comparison(),
    nextDay,
    winner,
  };
}

function addReasons(
  into: Map<string, number>,
  reasons: readonly (readonly [string, number])[],
): void {
  for (const [reason, count] of reasons)
    if (count > 0) into.set(reason, (into.get(reason) ?? 0) + count);
}
