// Reading what moves by itself. The live stream writes into the answers that `useRead` shows; while
// it does not serve a topic, the answer is asked for every five seconds as long as it may change.

import { createContext, useCallback, useContext, useEffect, useSyncExternalStore } from 'react';
import type { AnswerOf, ArgumentsOf, OperationName } from './client.ts';
import { useRead } from './queries.ts';

/** What may bring topics of an app. */
export interface LiveFeed {
  /** Wants a topic until the function that it returns is called. */
  want(topic: string): () => void;
  isServed(topic: string): boolean;
  /** Called when what it serves has changed. Returns how to stop. */
  subscribe(listener: () => void): () => void;
}

const noFeed: LiveFeed = {
  want: () => () => undefined,
  isServed: () => false,
  subscribe: () => () => undefined,
};

/** The feed of an app, the same one each time (`live-feeds.ts`). Without one, screens ask. */
export const LiveContext = createContext<(appId: string) => LiveFeed>(() => noFeed);

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
  const feed = useContext(LiveContext)(appId);
  const text = topics.join();
  useEffect(() => {
    const leaves = listed(text).map((topic) => feed.want(topic));
    return () => {
      for (const leave of leaves) leave();
    };
  }, [feed, text]);
  const subscribe = useCallback((listener: () => void) => feed.subscribe(listener), [feed]);
  const isServed = () => text !== '' && listed(text).every((topic) => feed.isServed(topic));
  return useSyncExternalStore(subscribe, isServed);
}

/** What many campaigns' figures follow. Beyond these topics the caller asks. */
export function topicsOfCampaigns(ids: readonly string[]): readonly string[] {
  return ids.length > campaignsFollowed ? [] : ids.map((id) => `campaign:${id}`);
}

function listed(text: string): readonly string[] {
  return text === '' ? [] : text.split(',');
}
