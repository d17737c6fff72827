// The stream of what happens in the sandbox. It writes arrivals into the list that is shown, and
// has everything else asked for again.

import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { closeMessage } from './address.ts';
import type { MessageList, ReceivedMessage } from './control.ts';

/** The list without a filter; those with one go on with `&`. */
export const allMessages = '/messages?limit=200';
/** More than are read at first; arrivals go on top. */
const listedMax = 500;
/** Arrivals during a campaign come ten times a second. */
const reloadMs = 150;

interface Arrivals extends MessageList {
  /** How many came beyond those in `messages`. */
  readonly more: number;
}

export type Connection = 'connecting' | 'live' | 'lost' | 'silent';

export function useLive(): Connection {
  const client = useQueryClient();
  const [connection, setConnection] = useState<Connection>('connecting');
  useEffect(() => {
    const events = new EventSource('/control/events');
    const reloadSoon = reloader(client);
    const on = <News>(name: string, act: (news: News) => void) =>
      events.addEventListener(name, ({ data }) => act(JSON.parse(data)));
    on('ready', () => {
      setConnection('live');
      void client.invalidateQueries();
    });
    on('webhooks', () => void client.invalidateQueries({ queryKey: ['/webhooks'] }));
    on('messages', (news: Arrivals) => {
      if (news.more === 0)
        client.setQueryData<MessageList>([allMessages], (list) => list && withArrivals(list, news));
      reloadSoon(news.more > 0);
    });
    on('cleared', () => {
      client.setQueryData<MessageList>([allMessages], { messages: [], held: 0 });
      reloadSoon(false);
      closeMessage();
    });
    events.onerror = () => setConnection('lost');
    const stopLooking = client.getQueryCache().subscribe(({ query }) => {
      // `fetch` rejects so where nobody answers.
      if (query.state.error instanceof TypeError) setConnection('silent');
    });
    return () => {
      events.close();
      stopLooking();
    };
  }, [client]);
  return connection;
}

/** Newest first. A list that was asked for meanwhile may have some of the arrivals. */
function withArrivals({ messages }: MessageList, news: Arrivals): MessageList {
  const newestId = messages[0]?.id ?? 0;
  const fresh = news.messages
    .filter(({ id }) => id > newestId)
    .map((message): ReceivedMessage => ({ ...message, isFresh: true }));
  return { messages: [...fresh, ...messages].slice(0, listedMax), held: news.held };
}

/**
 * Has filtered lists asked for again, and fault rules, which count their uses; `isWhole` also the
 * list without a filter.
 */
function reloader(client: QueryClient): (isWhole: boolean) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let takesAll = false;
  return (isWhole) => {
    takesAll ||= isWhole;
    if (timer !== undefined) return;
    timer = setTimeout(() => {
      void client.invalidateQueries({
        predicate: ({ queryKey: [path] }) =>
          path === allMessages ? takesAll : /^\/(messages\?|faults)/.test(String(path)),
      });
      timer = undefined;
      takesAll = false;
    }, reloadMs);
  };
}
