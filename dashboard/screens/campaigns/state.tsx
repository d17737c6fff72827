// The state of a campaign: a word, and a sentence that says what happens next and why it waits.

import type { Campaign, CampaignStats } from '../../api/generated.ts';
import { exactTime, relativeTime } from '../../time/relative.ts';
import { Badge } from '../../ui/badge.tsx';
import { useNow } from '../../ui/time.tsx';
import { stateWords } from '../../words/campaign.ts';
import { reasonText } from '../../words/send-reasons.ts';
import { slowedDown } from '../../words/slowed-down.ts';
import type { Tone } from '../../words/tone.ts';
import { isGuarded } from './guarded.tsx';
import { words } from './words.ts';

const tones: Readonly<Record<Campaign['state'], Tone>> = {
  draft: 'off',
  scheduled: 'accent',
  sending: 'accent',
  paused: 'notice',
  completed: 'good',
  canceled: 'off',
  failed: 'bad',
};

export function StateBadge({ state }: { readonly state: Campaign['state'] }) {
  return <Badge tone={tones[state]}>{stateWords[state]}</Badge>;
}

/** In a row of the list: rate and end, or why it waits, or when it was. */
export function ShortProgress({
  campaign,
  stats,
}: {
  readonly campaign: Campaign;
  readonly stats: CampaignStats | undefined;
}) {
  const nowMs = useNow();
  return shortProgress(campaign, stats, nowMs);
}

function shortProgress(
  campaign: Campaign,
  stats: CampaignStats | undefined,
  nowMs: number,
): string {
  const { nextAt, endedAt, updatedAt } = campaign;
  const state = stats?.state ?? campaign.state;
  const progress = stats?.progress;
  const when = (at: string) => relativeTime(Date.parse(at), nowMs);
  if (state === 'draft') return words.state.changed(when(updatedAt));
  if (state === 'scheduled' && campaign.undoUntil !== null) return words.state.soon;
  if (state === 'scheduled') return nextAt === null ? '' : words.state.next(when(nextAt));
  if (state === 'paused' && progress != null && progress.total > 0)
    return words.state.pausedAt(progress.done, progress.total);
  if (state === 'sending' || state === 'paused') {
    const waiting = progress?.waitingFor;
    if (waiting?.since != null && state === 'sending')
      return slowedDown(waiting.text, waiting, nowMs);
    if (waiting != null)
      return waiting.until === null || state === 'paused'
        ? words.state.waits(waiting.text)
        : words.state.waitsUntil(waiting.text, when(waiting.until));
    if (progress == null) return '';
    return progress.expectedEnd === null
      ? words.state.rate(progress.ratePerSecond)
      : words.state.rateEnd(progress.ratePerSecond, when(progress.expectedEnd));
  }
  return endedAt === null ? '' : words.state.ended(when(endedAt));
}

/** At the head of the campaign's page. */
export function StateSentence({
  campaign,
  stats,
}: {
  readonly campaign: Campaign;
  readonly stats: CampaignStats | undefined;
}) {
  const nowMs = useNow();
  return <p className="campaign-sentence">{stateSentence(campaign, stats, nowMs)}</p>;
}

function stateSentence(
  campaign: Campaign,
  stats: CampaignStats | undefined,
  nowMs: number,
): string {
  const { nextAt, endedAt } = campaign;
  const progress = stats?.progress;
  const waiting = progress?.waitingFor;
  const at = (time: string) =>
    words.state.atTime(relativeTime(Date.parse(time), nowMs), exactTime(Date.parse(time)));
  const reason = reasonOf(campaign.stateReason);
  switch (campaign.state) {
    case 'draft':
      return words.state.draft;
    case 'scheduled':
      if (campaign.undoUntil !== null) return words.state.undoable;
      return nextAt === null ? words.state.scheduled : words.state.startsAt(at(nextAt), reason);
    case 'paused': {
      const left = progress == null ? undefined : { sent: progress.done, all: progress.total };
      const isSaid = campaign.stateReason === null || isGuarded(campaign);
      const why = isSaid ? undefined : waiting?.text;
      return words.state.paused(left, campaign.pausedFrom, why);
    }
    case 'sending':
      if (waiting?.reason === 'throttled' && progress != null)
        return words.state.throttled(
          progress.ratePerSecond,
          waiting.text,
          progress.expectedEnd === null ? undefined : at(progress.expectedEnd),
        );
      if (waiting?.since != null) return slowedDown(waiting.text, waiting, nowMs);
      if (waiting != null)
        return words.state.waitsFor(
          waiting.text,
          waiting.people,
          waiting.until === null ? undefined : at(waiting.until),
        );
      if (progress == null) return words.state.sending;
      return words.state.sendingAt(
        progress.ratePerSecond,
        progress.expectedEnd === null ? undefined : at(progress.expectedEnd),
      );
    case 'completed':
      return words.state.completed(endedAt === null ? undefined : at(endedAt), reason);
    case 'canceled':
      return words.state.canceled(endedAt === null ? undefined : at(endedAt));
    case 'failed':
      return words.state.failed(reason ?? words.state.unknownReason);
  }
}

function reasonOf(code: string | null): string | undefined {
  return code === null ? undefined : (words.state.reasons[code] ?? reasonText(code));
}
