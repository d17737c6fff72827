// How each topic is read. A state is what the routes of the same name answer, because they answer
// it here; a tail is the events that came since the last read.

import type { EventQuery, EventsProtocol, EventView } from '../../actors/events/protocol.ts';
import { limits } from '../../actors/limits.ts';
import type { Ordinal } from '../../engine/base/brand.ts';
import type { Call } from '../call/call.ts';
import { handle } from '../call/inner-call.ts';
import type { Route } from '../call/route.ts';
import { listChannels } from '../routes/apps/list-channels.ts';
import { listCampaigns, readCampaignOfApp } from '../routes/campaigns/campaigns.ts';
import { readCampaignStats } from '../routes/campaigns/read-campaign-stats.ts';
import { eventView, listEvents } from '../routes/events/list-events.ts';
import { listIntegrations } from '../routes/integrations/integrations.ts';
import { readJourneyStats } from '../routes/journeys/journeys.ts';
import { listLiveActivities } from '../routes/live-activities/live-activities.ts';
import { listNotifications } from '../routes/notifications/list-notifications.ts';
import { readNotification } from '../routes/notifications/read-notification.ts';
import { readOrgLimits } from '../routes/org/org.ts';
import { readTimeline } from '../routes/timeline/read-timeline.ts';
import {
  listWebhookDeliveries,
  readWebhookDelivery,
} from '../routes/webhook-deliveries/webhook-deliveries.ts';
import { type Reading, type ReadTopic, tailRows } from './feed.ts';
import { followedPerson } from './person-topic.ts';
import type { Topic } from './topic.ts';

const firstPage = { limit: String(limits.pageDefault) };

/** A topic as its followers need it. */
interface TopicReader {
  /** The routes that answer the same: who may not call them may not follow. */
  readonly routes: readonly Route[];
  /** Throws when what the topic is about does not exist; absent if that cannot be. */
  check?(): Promise<unknown>;
  readonly read: ReadTopic;
}

/** For an app that the caller may read. */
export function readerOf(call: Call, appId: string, topic: Topic): TopicReader {
  const get = async (route: Route, params: object = {}, query: object = {}) =>
    (await handle(call, route, { params: { appId, ...params }, query: { ...query } }))
      .body as object;
  switch (topic.kind) {
    case 'campaigns':
    case 'activity':
    case 'webhook-deliveries':
    case 'live-activities':
    case 'integrations':
    case 'channels': {
      const route = lists[topic.kind];
      const query = topic.kind === 'channels' ? {} : firstPage;
      const read = async () => state(topic, await get(route, {}, query));
      return { routes: [route], read };
    }
    case 'limits':
      return {
        routes: [readOrgLimits],
        read: async () => state(topic, { limits: await get(readOrgLimits) }),
      };
    case 'events':
      return { routes: [listEvents], read: tail(call, call.app(appId), topic.name) };
    case 'newest-event': {
      const actor = call.to<EventsProtocol>(call.app(appId));
      const read = async () => state(topic, { seq: await actor.ask('events.newest', {}) });
      return { routes: [listEvents], read };
    }
    case 'person':
      return { routes: [readTimeline], ...followedPerson(call, call.app(appId), topic) };
    default:
      return ofOne(topic, get);
  }
}

const lists = {
  campaigns: listCampaigns,
  activity: listNotifications,
  'webhook-deliveries': listWebhookDeliveries,
  'live-activities': listLiveActivities,
  integrations: listIntegrations,
  channels: listChannels,
} as const satisfies Readonly<Partial<Record<Topic['kind'], Route>>>;

/** What one read of the app's memory answers. */
function ofOne(
  topic: Extract<Topic, { readonly id: string }> & {
    readonly kind: 'campaign' | 'journey' | 'send' | 'webhook-delivery';
  },
  get: (route: Route, params: object, query?: object) => Promise<object>,
): TopicReader {
  const { kind, id } = topic;
  switch (kind) {
    case 'campaign': {
      const read = async () =>
        state(topic, {
          campaign: await get(readCampaignOfApp, { id }),
          stats: await get(readCampaignStats, { id }),
        });
      return { routes: [readCampaignOfApp, readCampaignStats], check: read, read };
    }
    case 'journey': {
      const read = async () => state(topic, { stats: await get(readJourneyStats, { id }) });
      return { routes: [readJourneyStats], check: read, read };
    }
    // Its route answers about any id.
    case 'send': {
      const read = async () =>
        state(topic, {
          send: await get(readNotification, { id }, { story: 'true', content: 'false' }),
        });
      return { routes: [readNotification], read };
    }
    case 'webhook-delivery': {
      const read = async () =>
        state(topic, { delivery: await get(readWebhookDelivery, { deliveryId: id }) });
      return { routes: [readWebhookDelivery], check: read, read };
    }
  }
}

/** Countdowns are no change, nor is the time of a read as the time of what holds now. */
function state({ text }: Topic, body: object): Reading {
  const whole = { topic: text, ...body };
  const key = JSON.stringify(whole, function (this: { readonly kind?: unknown }, name, value) {
    return name === 'reset' || (name === 'at' && this.kind === 'state') ? undefined : value;
  });
  return { kind: 'state', json: JSON.stringify(whole), key };
}

/**
 * Asks for the newest event's number first, which costs nothing, and reads only what is above the
 * number of the read before: an event is counted a moment before the pool can read it.
 */
function tail(call: Call, app: Ordinal, name: string | undefined): ReadTopic {
  let shown = 0;
  let scanned: number | undefined;
  let seen = -1;
  return async () => {
    const actor = call.to<EventsProtocol>(app);
    const newest = await actor.ask('events.newest', {});
    if (newest === seen && scanned === newest) return undefined;
    const query: EventQuery = {
      limit: limits.pageMax,
      ...(name === undefined ? {} : { name }),
      ...(scanned === undefined ? {} : { afterSeq: scanned }),
    };
    const { items, nextCursor } = await actor.ask('events.list', { query });
    const fresh = items.filter((one) => one.seq > shown);
    const isFirst = scanned === undefined;
    const passed = items[0]?.seq ?? 0;
    const unread = isFirst || nextCursor === null ? 0 : unreadBelow(items, shown, name);
    shown = Math.max(shown, passed);
    scanned = Math.max(seen, passed, scanned ?? 0);
    seen = newest;
    const rows = fresh.slice(0, tailRows).reverse();
    return {
      kind: 'tail',
      rows: rows.map((one) => ({ seq: one.seq, json: JSON.stringify(eventView(one)) })),
      leftOut: isFirst ? 0 : fresh.length - rows.length + unread,
    };
  };
}

/** Events of all names are numbered without gaps; of one name nobody counts what was not read. */
function unreadBelow(items: readonly EventView[], shown: number, name: string | undefined): number {
  const lowest = items.at(-1)?.seq;
  return name !== undefined || lowest === undefined ? 0 : Math.max(0, lowest - shown - 1);
}
