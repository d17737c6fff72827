// The newcomer's steps and the facts that tick them.

import { useState } from 'react';
import { topicsOfCampaigns, useLiveRead } from '../../api/live.ts';
import { useRead } from '../../api/queries.ts';
import { useRefusal, useSession } from '../../api/session-context.tsx';
import { appPath, withParams } from '../../ui/address.ts';
import { words } from './words.ts';

const texts = words.steps;
/** The demo app of a sandbox begins with one person. */
const peopleFrom = 2;
const hiddenKey = 'engage.checklist.hidden';

export interface Step {
  readonly id: 'people' | 'message' | 'campaign' | 'send' | 'deliver';
  readonly title: string;
  readonly text: string;
  readonly isDone: boolean;
  readonly to: string;
  /** Outside the dashboard; wins over `to`. */
  readonly href?: string | undefined;
}

/** `steps` is `undefined` while unknown, and where nobody needs them. */
export function useSteps(appId: string) {
  const facts = useFacts(appId);
  const refused = useRefusal('write');
  const [isHidden, setHidden] = useState(() => hiddenApps().includes(appId));
  const hide = () => {
    localStorage.setItem(hiddenKey, JSON.stringify([...hiddenApps(), appId]));
    setHidden(true);
  };
  const isOver = facts.steps?.every(({ isDone }) => isDone) === true;
  const isNeeded = refused === undefined && !isHidden && !isOver;
  return {
    steps: isNeeded ? facts.steps : undefined,
    isLoading: isNeeded && facts.isLoading,
    hide,
  };
}

function useFacts(appId: string) {
  const { session } = useSession();
  const path = { appId };
  const people = useRead('listSubscribers', { path, query: { limit: 1 } });
  const messages = useRead('listMessages', { path, query: { limit: 1, order: 'newest' } });
  const campaigns = useLiveRead(
    appId,
    'listCampaigns',
    { path, query: { limit: 50, order: 'newest' } },
    { topics: ['campaigns'], isLive: () => true },
  );
  const begun = (campaigns.data?.items ?? []).filter(({ startedAt }) => startedAt !== null);
  const ids = begun.slice(0, 10).map(({ id }) => id);
  const stats = useLiveRead(
    appId,
    'compareCampaigns',
    { query: { ids: ids.join(',') } },
    {
      topics: topicsOfCampaigns(ids.slice(0, 1)), // a newcomer has one
      isLive: ({ items }) => !items.some(({ delivered }) => delivered > 0),
      enabled: ids.length > 0,
    },
  );
  const isLoading =
    (people.isLoading && people.data === undefined) ||
    messages.isLoading ||
    campaigns.isLoading ||
    stats.isLoading;
  if (
    isLoading ||
    people.data === undefined ||
    messages.data === undefined ||
    campaigns.data === undefined
  )
    return { steps: undefined, isLoading };
  const isDelivered = (stats.data?.items ?? []).some(({ delivered }) => delivered > 0);
  const newest = campaigns.data.items[0]?.id ?? 'new';
  const isSandbox = session.mode === 'sandbox';
  const done: readonly [Step['id'], boolean, string, (string | undefined)?][] = [
    ['people', (people.data.total ?? 0) >= peopleFrom, appPath(appId, 'import')],
    ['message', messages.data.items.length > 0, appPath(appId, 'messages', 'new')],
    [
      'campaign',
      campaigns.data.items.length > 0,
      withParams(appPath(appId, 'campaigns', 'new'), { message: messages.data.items[0]?.id }),
    ],
    ['send', begun.length > 0, appPath(appId, 'campaigns', newest)],
    ['deliver', isDelivered, appPath(appId, 'campaigns', begun[0]?.id ?? ''), session.inboxUrl],
  ];
  const steps = done.map(
    ([id, isDone, to, href]): Step => ({
      id,
      title: texts[id].title,
      text: id === 'deliver' && !isSandbox ? texts.deliver.live : texts[id].text,
      isDone,
      to,
      href,
    }),
  );
  return { steps, isLoading: false };
}

function hiddenApps(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(hiddenKey) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}
