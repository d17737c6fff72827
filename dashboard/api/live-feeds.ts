// Opens the live stream of an app, shares it with the other tabs, and puts what it brings into the
// answers that screens show.

import type { QueryClient } from '@tanstack/react-query';
import { hrefOf, openStream } from './client.ts';
import type { LiveFeed } from './live.ts';
import { LiveAnswers } from './live-answers.ts';
import { LiveShare } from './live-share.ts';

/** The feeds of a page, one for each app that it showed. */
export function liveFeeds(client: QueryClient): (appId: string) => LiveFeed {
  const known = new Map<string, LiveFeed>();
  return (appId) => {
    const feed = known.get(appId) ?? open(client, appId);
    known.set(appId, feed);
    return feed;
  };
}

function open(client: QueryClient, appId: string): LiveFeed {
  const answers = new LiveAnswers(client, appId);
  return new LiveShare({
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
}
