// Whether a frequency cap can ever let a campaign's fallback leave. The send of the campaign itself
// counts toward a cap over all channels, so a cap of one leaves no room while its hours last.

import { hourMs, type Millis, minuteMs } from '../../../engine/base/brand.ts';
import type { CampaignsView } from './memory.ts';
import type { AdvisedCampaign, DryRunWarning } from './protocol.ts';
import type { CampaignRecord } from './records.ts';

export function fallbackWaitMs({
  fallbackAfterMinutes = 0,
}: Pick<CampaignRecord, 'fallbackAfterMinutes'>): Millis {
  return fallbackAfterMinutes * minuteMs;
}

/** Every read of a draft says what the dry run would say. */
export function advised(
  app: Pick<CampaignsView, 'settings'>,
  campaign: CampaignRecord,
): AdvisedCampaign {
  if (campaign.state !== 'draft') return campaign;
  const advice = fallbackWarnings(app, campaign).map(({ message }) => ({
    field: 'fallbackAfterMinutes',
    warning: message,
  }));
  return advice.length === 0 ? campaign : { ...campaign, advice };
}

export function fallbackWarnings(
  { settings }: Pick<CampaignsView, 'settings'>,
  campaign: Pick<CampaignRecord, 'fallbackChannels' | 'fallbackAfterMinutes'>,
): readonly DryRunWarning[] {
  if (campaign.fallbackChannels === undefined) return [];
  const waitMs = fallbackWaitMs(campaign);
  const cap = settings.caps.find(
    ({ channel, max, perHours }) =>
      channel === undefined && max === 1 && perHours * hourMs > waitMs,
  );
  if (cap === undefined) return [];
  const { fallbackAfterMinutes } = campaign;
  const message = `the frequency cap of 1 message in ${cap.perHours} hours never lets the fallback be sent to anyone who was sent the campaign, because the fallback follows after ${fallbackAfterMinutes} minutes; raise the cap to 2, shorten its hours, or set fallbackAfterMinutes to at least ${cap.perHours * 60}`;
  return [{ code: 'fallback_capped', message }];
}
