// Puts what the live stream says into the answers that the screens show.

import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { OperationName } from './client.ts';
import type { OrgLimits } from './generated.ts';
import type { LiveItem } from './live-stream.ts';

interface Keyed {
  readonly id: string;
}

interface Page {
  readonly items: readonly Keyed[];
}

/** A list that the stream cannot fill by itself is read again, but not more often than this. */
const againMs = 2_000;
/** The same for what a topic moves without telling. */
const followsMs = 10_000;

export class LiveAnswers {
  readonly #client: QueryClient;
  readonly #appId: string;
  /** Lists that were read a moment ago, and whether they have to be read once more. */
  readonly #resting = new Map<OperationName, boolean>();

  constructor(client: QueryClient, appId: string) {
    this.#client = client;
    this.#appId = appId;
  }

  apply({ topic, event, data: told }: LiveItem): void {
    const data = told as Record<string, unknown>;
    const [kind, id = ''] = topic.split(':');
    const path = { appId: this.#appId, id };
    const set = (name: OperationName, args: object, answer: unknown) =>
      this.#client.setQueryData([name, args], answer);
    const names = readBy[kind ?? ''] ?? [];
    if (event === 'gone' || event === 'reset' || kind === 'events')
      for (const name of names) this.#readAgain(name);
    else if (kind === 'campaign') {
      set('readCampaignOfApp', { path }, data['campaign']);
      set('readCampaignStats', { path }, data['stats']);
      this.#compare(id, data['stats']);
    } else if (kind === 'journey') {
      set('readJourneyStats', { path }, data['stats']);
      this.#follow(kind);
    } else if (kind === 'limits') {
      const limits = data['limits'] as OrgLimits;
      const before = this.#client.getQueryData<OrgLimits>(['readOrgLimits', {}]);
      set('readOrgLimits', {}, limits);
      // The lanes in the same answer count calls: only a send makes other answers old.
      if (before !== undefined && before.dailySends.used !== limits.dailySends.used)
        this.#follow(kind);
    } else
      for (const name of names)
        if (mergePages(this.#client, name, data['items'] as Keyed[])) this.#readAgain(name);
  }

  /** Several campaigns side by side are one answer. */
  #compare(id: string, stats: unknown): void {
    type Compared = { readonly items: readonly { readonly campaignId: string }[] };
    this.#client.setQueriesData<Compared>({ queryKey: ['compareCampaigns'] }, (answer) =>
      answer?.items.some(({ campaignId }) => campaignId === id) === true
        ? {
            items: answer.items.map((one) =>
              one.campaignId === id ? (stats as Compared['items'][number]) : one,
            ),
          }
        : undefined,
    );
  }

  /** Reads what a topic moves, though not by itself. */
  #follow(kind: keyof typeof movedBy): void {
    for (const name of movedBy[kind]) this.#readAgain(name, followsMs);
  }

  #readAgain(name: OperationName, restMs = againMs): void {
    if (this.#resting.has(name)) {
      this.#resting.set(name, true);
      return;
    }
    this.#resting.set(name, false);
    void this.#client.invalidateQueries({ queryKey: [name] });
    setTimeout(() => {
      const isAsked = this.#resting.get(name) === true;
      this.#resting.delete(name);
      if (isAsked) this.#readAgain(name, restMs);
    }, restMs);
  }
}

/** The operations that show a topic. */
const readBy: Readonly<Record<string, readonly OperationName[]>> = {
  campaign: ['readCampaignOfApp', 'readCampaignStats'],
  campaigns: ['listCampaigns'],
  journey: ['readJourneyStats'],
  activity: ['listNotifications'],
  events: ['listEvents'],
  limits: ['readOrgLimits'],
};

/** What changes with a topic, though the topic does not say how. */
const movedBy = {
  journey: ['listJourneyPeople'],
  limits: ['readDeliveryFailures', 'readChannelHealth', 'listChannels', 'listDeadLetters'],
} as const satisfies Readonly<Record<string, readonly OperationName[]>>;

/**
 * Lists keep their pages, and rows that they show get their newest state. A list that may have to
 * gain or lose rows has to be read again: the server knows its filter and its order. Whether one has.
 */
function mergePages(client: QueryClient, name: OperationName, items: readonly Keyed[]): boolean {
  const newest = new Map(items.map((one) => [one.id, one]));
  let lacks = false;
  for (const query of client.getQueryCache().findAll({ queryKey: [name] })) {
    const answer = query.state.data as InfiniteData<Page> | Page | undefined;
    if (answer === undefined) continue;
    const pages = 'pages' in answer ? answer.pages : [answer];
    const merged = pages.map((page) => mergedPage(page, newest));
    if (merged.some((page, at) => page !== pages[at]))
      query.setData('pages' in answer ? { ...answer, pages: merged } : merged[0]);
    lacks ||= mayLack(pages, newest, query.queryKey[1]);
  }
  return lacks;
}

function mergedPage(page: Page, newest: ReadonlyMap<string, Keyed>): Page {
  const isOld = page.items.some(
    (one) => newest.has(one.id) && JSON.stringify(newest.get(one.id)) !== JSON.stringify(one),
  );
  return isOld ? { ...page, items: page.items.map((one) => newest.get(one.id) ?? one) } : page;
}

function mayLack(
  pages: readonly Page[],
  newest: ReadonlyMap<string, Keyed>,
  args: unknown,
): boolean {
  const shown = new Set(pages.flatMap(({ items }) => items.map(({ id }) => id)));
  const { query = {} } = (args ?? {}) as { readonly query?: Readonly<Record<string, unknown>> };
  const isFiltered = ['state', 'q', 'archived', 'status', 'channel', 'template', 'from'].some(
    (name) => query[name] !== undefined,
  );
  return isFiltered || [...newest.keys()].some((id) => !shown.has(id));
}
