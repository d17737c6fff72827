// Puts what the live stream says into the answers that the screens show.

import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { AnswerOf, OperationName } from './client.ts';
import { entryKey } from './entry-key.ts';
import type { OrgLimits } from './generated.ts';
import { type Keyed, mergePages, withFirstPage } from './live-pages.ts';
import type { LiveItem } from './live-stream.ts';
import { storyOfSend } from './send-story.ts';

/** A list that the stream cannot fill by itself is read again, but not more often than this. */
const againMs = 2_000;
/** The same for what a topic moves without telling, and for what any event may move. */
const followsMs = 10_000;
const lateMs = 60_000;
/** An event is counted a moment before reports have it. */
const countedMs = 1_000;

export class LiveAnswers {
  readonly #client: QueryClient;
  readonly #appId: string;
  /** Lists that were read a moment ago, and whether they have to be read once more. */
  readonly #resting = new Map<string, boolean>();
  /** The number of the newest event. */
  #newest: unknown;
  /** How many deliveries wait for each integration. */
  #pending: string | undefined;

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
    } else if (kind === 'channels') {
      set('listChannels', { path: { appId: this.#appId } }, { items: data['items'] });
    } else if (kind === 'newest-event') {
      if (this.#newest !== undefined && this.#newest !== data['seq'])
        setTimeout(() => this.#follow(kind), countedMs);
      this.#newest = data['seq'];
    } else if (kind === 'send') {
      set('readNotification', storyOfSend(this.#appId, id), data['send']);
    } else if (kind === 'webhook-delivery') {
      const args = { path: { appId: this.#appId, deliveryId: id } };
      set('readWebhookDelivery', args, data['delivery']);
    } else if (kind === 'person') {
      const { topic: _topic, ...page } = data;
      this.#person(path, page as unknown as AnswerOf<'readTimeline'>);
    } else if (kind === 'integrations') {
      this.#integrations(data['items'] as AnswerOf<'listIntegrations'>['items']);
    } else
      for (const name of names)
        if (mergePages(this.#client, name, data['items'] as Keyed[])) this.#readAgain(name);
  }

  /** A comparison names the best campaign by all of them, so it is read again when one changes. */
  #compare(id: string, stats: unknown): void {
    let isBeside = false;
    type Compared = { readonly items: readonly { readonly campaignId: string }[] };
    this.#client.setQueriesData<Compared>({ queryKey: ['compareCampaigns'] }, (answer) => {
      if (answer?.items.some(({ campaignId }) => campaignId === id) !== true) return undefined;
      isBeside ||= answer.items.length > 1;
      return {
        ...answer,
        items: answer.items.map((one) =>
          one.campaignId === id ? (stats as Compared['items'][number]) : one,
        ),
      };
    });
    if (isBeside) this.#follow('campaign');
  }

  /** The first page of a story; the older ones stay. */
  #person(path: object, first: AnswerOf<'readTimeline'>): void {
    type Pages = InfiniteData<AnswerOf<'readTimeline'>>;
    const lists = this.#client.getQueryCache().findAll({ queryKey: ['readTimeline', { path }] });
    for (const list of lists) {
      const pages = list.state.data as Pages | undefined;
      const merged = pages && withFirstPage(pages, first, entryKey);
      if (merged !== undefined) list.setData(merged);
      else if (pages !== undefined) this.#readAgain('readTimeline');
    }
  }

  /** Each by itself; one that is not there any more is asked for, and is a 404. */
  #integrations(items: AnswerOf<'listIntegrations'>['items']): void {
    for (const query of this.#client.getQueryCache().findAll({ queryKey: ['readIntegration'] })) {
      const { path } = query.queryKey[1] as { readonly path: { readonly type: string } };
      const one = items.find(({ type }) => type === path.type);
      if (one === undefined) this.#readAgain('readIntegration');
      else query.setData(one);
    }
    const pending = items
      .map((one) => ('pending' in one ? `${one.type} ${one.pending}` : ''))
      .join();
    if (this.#pending !== undefined && this.#pending !== pending) this.#follow('integrations');
    this.#pending = pending;
  }

  /** Reads what a topic moves, though not by itself. */
  #follow(kind: keyof typeof movedBy): void {
    const restMs = kind === 'newest-event' ? lateMs : followsMs;
    for (const name of movedBy[kind]) this.#readAgain(name, restMs);
  }

  #readAgain(name: OperationName, restMs = againMs): void {
    const rest = `${name} ${restMs}`;
    if (this.#resting.has(rest)) {
      this.#resting.set(rest, true);
      return;
    }
    this.#resting.set(rest, false);
    void this.#client.invalidateQueries({ queryKey: [name] });
    setTimeout(() => {
      const isAsked = this.#resting.get(rest) === true;
      this.#resting.delete(rest);
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
  send: ['readNotification'],
  person: ['readTimeline', 'readSubscriber'],
  'webhook-deliveries': ['listWebhookDeliveries'],
  'webhook-delivery': ['readWebhookDelivery'],
  'live-activities': ['listLiveActivities'],
  integrations: ['readIntegration'],
  channels: ['listChannels'],
  'newest-event': [],
};

/** What changes with a topic, though the topic does not say how. */
const movedBy = {
  // Which of several campaigns is best.
  campaign: ['compareCampaigns'],
  journey: ['listJourneyPeople'],
  // How many wait says that an older delivery ended, which the newest fifty do not tell.
  integrations: ['listWebhookDeliveries'],
  limits: ['readDeliveryFailures', 'readChannelHealth', 'listDeadLetters'],
  // Receipts are events: a bounce comes long after its send.
  'newest-event': ['readDeliveryFailures', 'readChannelHealth', 'listDeadLetters'],
} as const satisfies Readonly<Record<string, readonly OperationName[]>>;
