// What waits for a person, as a list: what is stuck, what failed, and what is used up.

import type { AnswerOf } from '../../api/client.ts';
import type { Campaign, CampaignStats } from '../../api/generated.ts';
import { topicsOfCampaigns, useLiveRead } from '../../api/live.ts';
import { appPath, orgPath, withParams } from '../../ui/address.ts';
import { count } from '../../ui/figure.tsx';
import type { IconName } from '../../ui/icon-paths.ts';
import { stateReasons } from '../../words/campaign.ts';
import { channelNames } from '../../words/channels.ts';
import { failureText, reasonText } from '../../words/send-reasons.ts';
import { words } from './words.ts';

export const needsShownMax = 10;
const failuresMax = 5;

export interface Need {
  readonly key: string;
  readonly icon: IconName;
  readonly title: string;
  readonly text: string;
  /** When it happened last, or when it ends. */
  readonly at?: { readonly word: string; readonly time: string };
  readonly to: string;
  readonly action: string;
}

export function useNeeds(appId: string) {
  const path = { appId };
  const campaigns = { topics: ['campaigns'], isLive: () => true };
  const of = (state: 'paused' | 'failed' | 'sending') => ({
    path,
    query: { state, order: 'newest' as const, limit: needsShownMax },
  });
  const paused = useLiveRead(appId, 'listCampaigns', of('paused'), campaigns);
  const failed = useLiveRead(appId, 'listCampaigns', of('failed'), campaigns);
  const sending = useLiveRead(appId, 'listCampaigns', of('sending'), campaigns);
  const running = [...(paused.data?.items ?? []), ...(sending.data?.items ?? [])];
  const ids = running.slice(0, needsShownMax).map(({ id }) => id);
  const stats = useLiveRead(
    appId,
    'compareCampaigns',
    { query: { ids: ids.join(',') } },
    {
      topics: topicsOfCampaigns((sending.data?.items ?? []).map(({ id }) => id)),
      isLive: ({ items }) => items.some(({ state }) => state === 'sending'),
      enabled: ids.length > 0,
      keepPrevious: true,
    },
  );
  const sends = { topics: ['limits'], isLive: () => true };
  const failures = useLiveRead(
    appId,
    'readDeliveryFailures',
    { query: { appId, days: 7, limit: failuresMax } },
    { topics: ['limits', 'newest-event'], isLive: () => true },
  );
  const standings = { topics: ['channels'], isLive: () => true };
  const channels = useLiveRead(appId, 'listChannels', { path }, standings);
  const limits = useLiveRead(appId, 'readOrgLimits', {}, sends);
  const all = [paused, failed, sending, failures, channels];
  const figures = ids.length === 0 ? [] : (stats.data?.items ?? []);
  return {
    needs: [
      ...(limits.data === undefined ? [] : limitNeeds(limits.data)),
      ...channelNeeds(appId, channels.data?.items ?? []),
      ...(failed.data?.items ?? []).map((one) => failedNeed(appId, one)),
      ...(paused.data?.items ?? []).map((one) => pausedNeed(appId, one, figures)),
      ...figures.flatMap((one) => stuckNeeds(appId, one)),
      ...failureNeeds(appId, failures.data?.items ?? []),
    ],
    isLoading: stats.isLoading || all.some(({ isLoading }) => isLoading),
    error: all.find(({ error }) => error !== undefined)?.error,
    again: () => {
      for (const read of all) void read.refetch();
    },
  };
}

function limitNeeds(limits: AnswerOf<'readOrgLimits'>): Need[] {
  const { dailySends, emailAllowance } = limits;
  const needs: Need[] = [];
  if (dailySends.cap !== null && dailySends.used >= dailySends.cap)
    needs.push({
      key: 'cap',
      icon: 'clock',
      title: words.capReached(count(dailySends.cap)),
      text: words.capText,
      at: { word: words.goesOn, time: dailySends.resetsAt },
      to: orgPath('billing'),
      action: words.limits,
    });
  if (emailAllowance.included !== null && emailAllowance.used >= emailAllowance.included)
    needs.push({
      key: 'allowance',
      icon: 'warning',
      title: words.allowanceUsed(count(emailAllowance.included)),
      text: words.allowanceText,
      to: orgPath('billing'),
      action: words.limits,
    });
  return needs;
}

/**
 * Of a provider that does not answer there is nothing to be done, but people ask why sends wait.
 */
function channelNeeds(appId: string, channels: AnswerOf<'listChannels'>['items']): Need[] {
  return channels.flatMap(({ channel, state, until, reason, detail }): Need[] => {
    if (state !== 'refused' && state !== 'unreachable') return [];
    const text = words.channelStates[state];
    return [
      {
        key: `channel ${channel}`,
        icon: 'warning',
        title: text.title(channelNames[channel]),
        text:
          reason === null
            ? text.text
            : `${text.text} ${words.lastFailure(failureText(reason, detail, channel))}`,
        ...(until === null ? {} : { at: { word: words.nextTry, time: until } }),
        to: appPath(appId, 'channels', channel),
        action: words.open,
      },
    ];
  });
}

type InList = Pick<Campaign, 'id' | 'name' | 'stateReason'>;

function failedNeed(appId: string, { id, name, stateReason }: InList): Need {
  return {
    key: id,
    icon: 'warning',
    title: words.failed(name),
    text: stateReason === null ? words.noReason : campaignReason(stateReason),
    to: appPath(appId, 'campaigns', id),
    action: words.open,
  };
}

function pausedNeed(
  appId: string,
  { id, name, stateReason }: InList,
  figures: readonly CampaignStats[],
): Need {
  const progress = figures.find(({ campaignId }) => campaignId === id)?.progress;
  const left =
    progress == null || progress.total === 0
      ? words.pausedText
      : words.pausedAt(count(progress.done), count(progress.total));
  return {
    key: id,
    icon: 'pause',
    title: words.paused(name),
    text: stateReason === null ? left : `${campaignReason(stateReason)} ${left}`,
    to: appPath(appId, 'campaigns', id),
    action: words.open,
  };
}

/** A campaign that waits for something that has no end of its own. */
function stuckNeeds(appId: string, { campaignId, name, state, progress }: CampaignStats): Need[] {
  const waiting = progress?.waitingFor;
  if (state !== 'sending' || waiting == null || waiting.until !== null) return [];
  if (waiting.reason === 'throttled' || waiting.reason === 'provider_pause') return [];
  return [
    {
      key: `wait ${campaignId}`,
      icon: 'clock',
      title: words.stuck(name),
      text: words.sentence(waiting.text, waiting.people ?? undefined),
      to: appPath(appId, 'campaigns', campaignId),
      action: words.open,
    },
  ];
}

function failureNeeds(
  appId: string,
  items: AnswerOf<'readDeliveryFailures'>['items'],
): readonly Need[] {
  return items
    .filter(({ count: all, recovered }) => all > recovered)
    .map(({ reason, lane, channel, count: all, recovered, lastAt }) => {
      const name = channelNames[channel as keyof typeof channelNames] ?? channel;
      const since = recovered === 0 ? '' : ` ${words.recovered(count(recovered))}`;
      const noCredential = reason === 'not_configured';
      return {
        key: `${reason} ${lane} ${channel}`,
        icon: 'warning',
        title: words.failuresOf(
          all - recovered,
          sentenceStart(reasonText(reason, channel ?? undefined)),
        ),
        text: `${name}, ${words.lanes[lane]}.${since}`,
        at: { word: words.lastAt, time: lastAt },
        to: noCredential
          ? appPath(appId, 'channels')
          : withParams(appPath(appId, 'activity'), { tab: 'failures', reason }),
        action: noCredential ? words.toChannels : words.sees,
      };
    });
}

function campaignReason(code: string): string {
  return stateReasons[code] ?? `${sentenceStart(reasonText(code))}.`;
}

function sentenceStart(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
