// Starts an occurrence: finds its audience now and freezes it as a bitset in one commit. The
// campaign fails if it cannot start, and waits while its filter's columns are being counted.

import type { Context, DocumentWrite, Entry } from '../../../engine/actor/message.ts';
import type { Bitset } from '../../../engine/base/bitset.ts';
import { type Bytes, hourMs, type Millis } from '../../../engine/base/brand.ts';
import { audienceOf, uncounted } from '../../audiences/segments/evaluate.ts';
import type { Filter } from '../../audiences/segments/filter.ts';
import type { TraitsReads } from '../../audiences/segments/reads.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import { numberInIds } from '../../sending/campaign-send-id.ts';
import { type CredentialRules, isConfigured } from '../../sending/outbox/open-credentials.ts';
import { bytesOfRecord } from '../../weight.ts';
import { freshCopies } from './copies.ts';
import { type CampaignsEntry, savedEntry } from './entries.ts';
import type { CampaignsView } from './memory.ts';
import { nextOf } from './next-start.ts';
import { appReadingHour } from './optimal-times.ts';
import type { CampaignRecord } from './records.ts';

/** A schedule missed by more than this follows `ifLate`. */
export const lateMs: Millis = 2 * hourMs;

type Begun =
  | {
      readonly entries: readonly Entry[];
      readonly documents: readonly DocumentWrite[];
      readonly campaign: CampaignRecord;
    }
  /** Its filter counts events that have not been read yet. */
  | 'waiting';

/** `room`: what its copies may take of the org's storage; a send is asked for it before. */
export function begin(
  app: CampaignsView,
  rules: CredentialRules,
  campaign: CampaignRecord,
  { owner, nowMs, wallMs, documents }: Pick<Context, 'owner' | 'nowMs' | 'wallMs' | 'documents'>,
  room: Bytes = Number.POSITIVE_INFINITY,
): Begun {
  const audience = audienceNow(app, campaign, app.traits, nowMs);
  if (audience === 'gone') return failed('segment_gone');
  const targeted = targetedBy(campaign);
  if (!targeted.some((channel) => isConfigured(app, rules, channel)))
    return failed('not_configured');
  const copies = freshCopies(campaign, { documents });
  if (copies === undefined) return failed('message_gone');
  if (copies.documents.reduce((sum, { value }) => sum + bytesOfRecord(value ?? 0), 0) > room)
    return failed('storage_quota');
  if (audience === 'waiting') return 'waiting';
  const occurrence = (campaign.occurrences ?? 0) + 1;
  const atMs = freeInstant(app, campaign, nowMs);
  const { copy, ttlMs } = copies;
  const { nextMs: _due, undoMs: _until, stateReason: _before, ...more } = campaign;
  const { ttlMs: _former, ...rest } = more;
  const nextMs = nextOf(campaign, wallMs);
  const next: CampaignRecord = {
    ...rest,
    state: 'sending',
    occurrences: occurrence,
    startedMs: campaign.startedMs ?? atMs,
    updatedMs: nowMs,
    ...(nextMs === undefined ? {} : { nextMs }),
    copy,
    ...(ttlMs === undefined ? {} : { ttlMs }),
  };
  const appHour = campaign.optimalTime ? appReadingHour(app, nowMs) : undefined;
  const started: CampaignsEntry = {
    kind: 'campaign.started',
    owner,
    campaignId: campaign.id,
    occurrence,
    atMs,
    audience: audience.snapshot(),
    ...(appHour === undefined ? {} : { appHour }),
  };
  const isOther = copies.documents.length > 0 && app.sending.of(campaign.id).length > 0;
  const saved = savedEntry(owner, next, isOther);
  return { entries: [saved, started], documents: copies.documents, campaign: next };

  function failed(stateReason: string): Begun {
    const { nextMs: _due, undoMs: _until, ...rest } = campaign;
    const next: CampaignRecord = {
      ...rest,
      state: 'failed',
      stateReason,
      updatedMs: nowMs,
      endedMs: nowMs,
    };
    const ended = endedEntries(app, owner, campaign.id, nowMs);
    return { entries: [savedEntry(owner, next), ...ended], documents: [], campaign: next };
  }
}

/**
 * The start of an occurrence: now, or milliseconds earlier if its send ids would clash with another
 * campaign's. Later would miss local delivery times that are due now.
 */
function freeInstant(
  { sending, campaigns }: Pick<CampaignsView, 'sending' | 'campaigns'>,
  { number }: Pick<CampaignRecord, 'number'>,
  nowMs: Millis,
): Millis {
  const isTaken = (atMs: Millis) =>
    sending.begunAt(atMs).some(({ campaignId }) => {
      const other = campaigns.get(campaignId);
      return other !== undefined && numberInIds(other.number) === numberInIds(number);
    });
  let atMs = nowMs;
  while (isTaken(atMs)) atMs--;
  return atMs;
}

/** Ends the open occurrences of a campaign that stops for good. */
export function endedEntries(
  { sending }: Pick<CampaignsView, 'sending'>,
  owner: number,
  campaignId: string,
  atMs: Millis,
): CampaignsEntry[] {
  const kind = 'campaign.occurrence_ended';
  return sending
    .of(campaignId)
    .filter(({ endedMs }) => endedMs === null)
    .map(({ number: occurrence }) => ({ kind, owner, campaignId, occurrence, atMs }));
}

/** Whether a campaign's audience can be computed now. */
export function canBegin(
  app: Pick<CampaignsView, 'segments' | 'traits'>,
  campaign: CampaignRecord,
): boolean {
  const filter = filterOf(app, campaign);
  return filter === undefined || filter === 'gone' || uncounted(filter, app.traits).length === 0;
}

/** The audience, owned by the caller. `waiting`: `traits` lacks columns; `gone`: no segment. */
export function audienceNow(
  app: CampaignsView,
  campaign: CampaignRecord,
  traits: TraitsReads,
  nowMs: Millis,
): Bitset | 'gone' | 'waiting' {
  const filter = filterOf(app, campaign);
  if (filter === 'gone') return 'gone';
  // Who has no device is suppressed as `no_device`, as in the audience of a filter.
  if (filter === undefined) return app.traits.alive.clone();
  return uncounted(filter, traits).length > 0 ? 'waiting' : audienceOf(filter, traits, nowMs);
}

/** The channels of both passes. */
function targetedBy({ channels, fallbackChannels = [] }: CampaignRecord): readonly ChannelId[] {
  return [...(channels ?? channelIds), ...fallbackChannels];
}

/** The audience's filter; `undefined` for everyone. */
function filterOf(
  { segments }: Pick<CampaignsView, 'segments'>,
  { segmentId, filter }: Pick<CampaignRecord, 'segmentId' | 'filter'>,
): Filter | 'gone' | undefined {
  if (segmentId === undefined) return filter;
  return segments.get(segmentId)?.filter ?? 'gone';
}
