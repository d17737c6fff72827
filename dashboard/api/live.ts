// Reading what moves by itself. The live stream writes into the answers that `useRead` shows; while
// it does not serve a topic, the answer is asked for every five seconds as long as it may change.

import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import {
  type AnswerOf,
  type ArgumentsOf,
  hrefOf,
  type OperationName,
  openStream,
} from './client.ts';
import { LiveAnswers } from './live-answers.ts';
import { LiveShare } from './live-share.ts';
import { useRead } from './queries.ts';

/** While there is no stream. */
export const pollEveryMs = 5_000;

/** For what may still come when nothing is sent any more: receipts, bounces. */
export const lateEveryMs = 60_000;

/** A stream has sixteen topics, and a screen follows its lists and limits too. */
const campaignsFollowed = 10;

interface LiveOptions<Name extends OperationName> {
  /** What brings it by the stream, like `campaign:cmp_…`. */
  readonly topics: readonly string[];
  /** Whether an answer will change by itself; without an answer it is asked once. */
  readonly isLive: (answer: AnswerOf<Name>) => boolean;
  /** Asks so often without a stream. */
  readonly unservedEveryMs?: number;
  readonly enabled?: boolean;
  readonly keepPrevious?: boolean;
}

export function useLiveRead<Name extends OperationName>(
  appId: string,
  name: Name,
  args: ArgumentsOf<Name>,
  { isLive, topics, unservedEveryMs = pollEveryMs, ...options }: LiveOptions<Name>,
) {
  const isServed = useTopics(appId, options.enabled === false ? [] : topics);
  return useRead(name, args, {
    ...options,
    everyMs: (answer) => {
      if (answer === undefined || !isLive(answer)) return false;
      return !isServed && unservedEveryMs;
    },
  });
}

/** Follows a topic of an app. Whether the stream brings it; if not, the caller has to ask. */
export function useTopic(appId: string, topic: string | undefined): boolean {
  return useTopics(appId, topic === undefined ? [] : [topic]);
}

/** The same for several: whether the stream brings all of them. */
export function useTopics(appId: string, topics: readonly string[]): boolean {
  const client = useQueryClient();
  const share = shareOf(client, appId);
  const text = topics.join();
  useEffect(() => {
    const leaves = listed(text).map((topic) => share.want(topic));
    return () => {
      for (const leave of leaves) leave();
    };
  }, [share, text]);
  const subscribe = useCallback((listener: () => void) => share.subscribe(listener), [share]);
  const isServed = () => text !== '' && listed(text).every((topic) => share.isServed(topic));
  return useSyncExternalStore(subscribe, isServed);
}

/** What many campaigns' figures follow. Beyond these topics the caller asks. */
export function topicsOfCampaigns(ids: readonly string[]): readonly string[] {
  return ids.length > campaignsFollowed ? [] : ids.map((id) => `campaign:${id}`);
}

function listed(text: string): readonly string[] {
  return text === '' ? [] : text.split(',');
}

const shares = new WeakMap<QueryClient, Map<string, LiveShare>>();

function shareOf(client: QueryClient, appId: string): LiveShare {
  const known = shares.get(client) ?? new Map<string, LiveShare>();
  shares.set(client, known);
  const found = known.get(appId);
  if (found !== undefined) return found;
  const answers = new LiveAnswers(client, appId);
  const share = new LiveShare({
    appId,
    open: (topics, lastId, signal) =>
      openStream(
        hrefOf('streamLive', { path: { appId }, query: { topics: topics.join(',') } }),
        lastId,
        signal,
      ),
    onItem: (item) => answers.apply(item),
    onMissed: () => void client.invalidateQueries({ refetchType: 'active' }),
  });
  known.set(appId, share);
  return share;
}
