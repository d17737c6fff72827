// How each topic is read. A state is what the routes of the same name answer, because they answer
// it here; a tail is the events that came since the last read.

import type { EventQuery, EventsProtocol, EventView } from '../../actors/events/protocol.ts';
import { limits } from '../../actors/limits.ts';
import type { Ordinal } from '../../engine/base/brand.ts';
import type { Call } from '../call.ts';
import { handle } from '../mcp/inner-call.ts';
import type { Route } from '../route.ts';
import { listCampaigns } from '../routes/campaigns/list-campaigns.ts';
import { readCampaignOfApp } from '../routes/campaigns/read-campaign.ts';
import { readCampaignStats } from '../routes/campaigns/read-campaign-stats.ts';
import { eventView } from '../routes/events/list-events.ts';
import { readJourneyStats } from '../routes/journeys/read-journey-stats.ts';
import { listNotifications } from '../routes/notifications/list-notifications.ts';
import { readOrgLimits } from '../routes/org/read-org-limits.ts';
import { type Reading, type ReadTopic, tailRows } from './feed.ts';
import type { Topic } from './topic.ts';

const firstPage = { limit: String(limits.pageDefault) };

/** For an app that the caller may read. */
export function readerOf(call: Call, appId: string, topic: Topic): ReadTopic {
  const get = async (route: Route, params: object = {}, query: object = {}) =>
    (await handle(call, route, { params: { appId, ...params }, query: { ...query } }))
      .body as object;
  switch (topic.kind) {
    case 'campaigns':
      return async () => state(topic, await get(listCampaigns, {}, firstPage));
    case 'campaign': {
      const { id } = topic;
      return async () =>
        state(topic, {
          campaign: await get(readCampaignOfApp, { id }),
          stats: await get(readCampaignStats, { id }),
        });
    }
    case 'journey':
      return async () => state(topic, { stats: await get(readJourneyStats, { id: topic.id }) });
    case 'limits':
      return async () => state(topic, { limits: await get(readOrgLimits) });
    case 'activity':
      return async () => state(topic, await get(listNotifications, {}, firstPage));
    case 'events':
      return tail(call, call.app(appId), topic.name);
  }
}

/** Countdowns are no change. */
function state({ text }: Topic, body: object): Reading {
  const whole = { topic: text, ...body };
  const key = JSON.stringify(whole, (name, value) => (name === 'reset' ? undefined : value));
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
