// The campaign parameters of one send: of its campaign or journey, or of the channel alone.

import { partOfCopyKey } from '../../../storage/tables/content-copy.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { RenderedContent } from '../../channels/port/attempt.ts';
import { utmFor } from '../../content/render/utm.ts';
import { withUtm } from '../../content/render/utm-links.ts';
import type { UtmFacts, UtmParameters } from '../../content/shape/utm-facts.ts';
import type { SendsView } from './reads.ts';
import type { Origin } from './records.ts';

type UtmView = Pick<SendsView, 'record' | 'settings'> & {
  readonly [Member in 'campaigns' | 'journeys']: Pick<SendsView[Member], 'get'>;
};

/** Of a marketing send. */
export function utmOfOrigin(
  app: UtmView,
  { copy, campaignId, journeyId }: Pick<Origin, 'copy' | 'campaignId' | 'journeyId'>,
  channel: ChannelId,
  nowMs: number,
): UtmParameters | undefined {
  const { record, settings, campaigns, journeys } = app;
  if (settings.utm == null) return undefined;
  const id = campaignId ?? journeyId ?? '';
  const part = partOfCopyKey(id, copy);
  const ofPart =
    part === undefined ? {} : campaignId === undefined ? { step: part } : { variant: part };
  const name = campaigns.get(id)?.name ?? journeys.get(id)?.record.name ?? '';
  const from: Partial<UtmFacts> =
    campaignId === undefined ? { journey: { id, name } } : { campaign: { id, name } };
  return utmFor(settings.utm, { channel, ...from, ...ofPart }, record, nowMs);
}

/** The stored content of a transactional send or a test, as it is sent. */
export function storedWithUtm(
  { settings, record }: Pick<UtmView, 'record' | 'settings'>,
  content: RenderedContent,
  channel: ChannelId,
  nowMs: number,
): RenderedContent {
  if (content.utm !== true) return content;
  const { utm: _wanted, ...bare } = content;
  return withUtm(bare, utmFor(settings.utm, { channel }, record, nowMs), channel === 'email');
}
