// What workers do with campaigns: they save messages, make campaigns of every kind, send and steer
// them, and people answer what they got, move to other zones and turn out to be somebody known.
// What has to hold of all this is judged from the log (`campaign-audit.ts`); here it is only held
// that nothing is refused without a reason.

import type { Filter } from '../../actors/audiences/segments/filter.ts';
import type { ChannelId } from '../../actors/channels/channel-ids.ts';
import type { CampaignInput } from '../../actors/programs/campaigns/protocol.ts';
import type { CampaignSpec, Schedule } from '../../actors/programs/campaigns/records.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../engine/base/brand.ts';
import { pick } from '../../engine/base/rng.ts';
import { register, widen } from './audience-work.ts';
import { coin, span, whole } from './chance.ts';
import { type Client, pause, persist } from './client.ts';
import { drawPlainFilter, isTooLong, noteWindow } from './segment-work.ts';
import { bytesOf } from './tenants.ts';
import { drawTopic } from './topic-work.ts';
import { isConflict, isFault, nextName, somebody, unexpected, type Worker } from './worker.ts';

/** WhatsApp wants a template of its own; a campaign that names no channels goes there as well. */
const channelsNamed = ['fcm', 'email', 'sms', 'telegram', 'line'] as const satisfies ChannelId[];
const zones = ['Asia/Tokyo', 'America/New_York', 'Europe/Riga', 'Australia/Lord_Howe', 'UTC'];
const campaignsMax = 12;

/** Makes a campaign, and mostly sends it. */
export function* makeCampaign(worker: Worker): Client {
  const { app, rng, campaigns } = worker;
  if (campaigns.length >= campaignsMax) return;
  const by = { by: app.org };
  while (worker.messages.length < 2) yield* saveMessage(worker);
  if (worker.messages.length < 2 || app.leaving) return;
  const about = yield* drawTopic(worker, 0.4);
  if (app.leaving) return;
  const input = { ...drawCampaign(worker), ...about };
  const { filter } = input;
  if (filter !== undefined) noteWindow(worker, filter as Filter);
  const { reply } = yield* persist(app.ordinal, 'campaign.create', { input }, by);
  if (app.leaving) return;
  if (!reply.ok) {
    if (filter === undefined || !isTooLong(filter as Filter, reply))
      unexpected(worker, `campaign.create ${JSON.stringify(input)}`, reply);
    return;
  }
  const { id } = reply.value;
  campaigns.push(id);
  if (coin(rng, 0.9)) yield* sendOne(worker, id);
}

/** At once, or after some seconds, in which some are taken back and sent again. */
function* sendOne(worker: Worker, id: string): Client {
  const { app, rng } = worker;
  if (coin(rng, 0.7)) return yield* verb(worker, 'send', id);
  yield* verb(worker, 'send', id, { delayMs: whole(rng, 1, 60) * secondMs });
  if (app.leaving || coin(rng, 0.5)) return;
  // A moment too late, now and then.
  yield* pause(span(rng, 10, 90 * secondMs));
  if (!app.leaving) yield* verb(worker, 'unschedule', id);
  if (!app.leaving && coin(rng, 0.8)) yield* verb(worker, 'send', id);
}

/**
 * Pauses, resumes, cancels, deletes, sends, unschedules or puts away one of the worker's campaigns;
 * pauses seldom last.
 */
export function* steerCampaign(worker: Worker): Client {
  const { app, rng, campaigns } = worker;
  if (campaigns.length === 0) return;
  const id = pick(rng, campaigns.slice(-3));
  const dice = whole(rng, 0, 99);
  if (dice < 40) {
    yield* verb(worker, 'pause', id);
    yield* pause(span(rng, 10, 20 * minuteMs));
    if (!app.leaving && coin(rng, 0.8)) yield* verb(worker, 'resume', id);
  } else if (dice < 70) yield* verb(worker, 'resume', id);
  else if (dice < 78) {
    yield* verb(worker, 'cancel', id);
    // What is in flight comes back to a campaign that is not there.
    if (!app.leaving && coin(rng, 0.5)) yield* forget(worker, id);
  } else if (dice < 84) yield* sendOne(worker, id);
  else if (dice < 88) yield* forget(worker, id);
  else if (dice < 92) {
    yield* verb(worker, 'unschedule', id);
    if (!app.leaving && coin(rng, 0.8)) yield* verb(worker, 'send', id);
  } else if (dice < 95) {
    yield* verb(worker, 'archive', id);
    if (!app.leaving && coin(rng, 0.5)) yield* verb(worker, 'unarchive', id);
  } else {
    const { reply } = yield* persist(app.ordinal, 'campaign.stats', { ids: [id] }, { by: app.org });
    if (!app.leaving && !reply.ok && !isFault(reply, 'not_found'))
      unexpected(worker, 'campaign.stats', reply);
  }
}

/** People open and click what they were sent, and some open what they were not. */
export function* answerCampaign(worker: Worker): Client {
  const { app, rng, audit, people } = worker;
  const fact = audit.apps.get(app.ordinal);
  const mine = audit.campaigns.of(app.ordinal);
  const sent = [...mine.sends.values()].slice(-40);
  if (fact === undefined || sent.length === 0) return;
  const events: object[] = [];
  for (let i = whole(rng, 1, 6); i > 0; i--) {
    const { send, occurrence } = pick(rng, sent);
    const name = fact.people.get(mine.whole(send.person));
    const person = coin(rng, 0.9)
      ? people.find(({ externalUserId }) => externalUserId === name)
      : somebody(worker);
    if (person?.exists !== true) continue;
    const { externalUserId } = person;
    const of = coin(rng, 0.8) ? { sendId: send.id } : { campaignId: occurrence.campaignId };
    const one = { externalUserId, id: `${nextName(worker)}a`, ...of };
    events.push({ name: coin(rng, 0.6) ? 'opened' : 'clicked', ...one });
  }
  if (events.length === 0) return;
  const bytes = Buffer.from(JSON.stringify({ appId: app.id, events }));
  const options = { by: app.org, bytes, lane: 'bulk' } as const;
  const keyless = coin(rng, 0.5);
  const { reply } = yield* persist(app.ordinal, 'events.ingest', { keyless }, options);
  if (!app.leaving && !reply.ok) unexpected(worker, 'events of a campaign', reply);
}

/** Quiet hours and caps come and go. */
export function* changePolicy(worker: Worker): Client {
  const { app, rng } = worker;
  const startHour = whole(rng, 0, 23);
  const hour = (at: number) => `${String(at % 24).padStart(2, '0')}:30`;
  const quietHours = coin(rng, 0.5)
    ? null
    : {
        start: hour(startHour),
        end: hour(startHour + whole(rng, 1, 8)),
        timezone: coin(rng, 0.6) ? 'subscriber' : pick(rng, zones),
        ...(coin(rng, 0.4) ? { channels: [pick(rng, channelsNamed)] } : {}),
      };
  const caps = Array.from({ length: whole(rng, 0, 2) }, () => ({
    ...(coin(rng, 0.5) ? { channel: pick(rng, channelsNamed) } : {}),
    max: whole(rng, 1, 4),
    perHours: pick(rng, [1, 6, 24]),
  }));
  const patch = coin(rng, 0.5) ? { quietHours } : { caps };
  const { reply } = yield* persist(app.ordinal, 'settings.patch', { patch }, { by: app.org });
  if (!app.leaving && !reply.ok) unexpected(worker, 'settings.patch', reply);
}

/** Somebody is in another zone, or wants to be reached on some channels alone. */
export function* movePerson(worker: Worker): Client {
  const { app, rng } = worker;
  const person = somebody(worker);
  const ref = { externalUserId: person.externalUserId };
  const patch = coin(rng, 0.7)
    ? { timezone: coin(rng, 0.2) ? null : pick(rng, zones) }
    : { preferredChannels: coin(rng, 0.5) ? null : [...new Set(draw(worker, 2))] };
  const { reply } = yield* persist(
    app.ordinal,
    'subscriber.patch',
    { ref, patch },
    { by: app.org },
  );
  if (!app.leaving && !reply.ok && (person.exists || !isFault(reply, 'not_found')))
    unexpected(worker, 'subscriber.patch', reply);
}

/**
 * Somebody anonymous with a device of their own turns out to be one of the worker's people, mostly
 * a while later.
 */
export function* mergePerson(worker: Worker): Client {
  const { app, rng } = worker;
  const patch = { identityVerification: 'open' } as const;
  const tokenKey = bytesOf('token key', 32);
  const { reply: open } = yield* persist(app.ordinal, 'settings.patch', { patch }, { by: app.org });
  if (app.leaving || !open.ok) return;
  const { reply: first } = yield* persist(app.ordinal, 'sdk.login', { login: { tokenKey } });
  if (app.leaving || isFault(first, 'rate_limited')) return;
  if (!first.ok) return unexpected(worker, 'sdk.login', first);
  const { clientToken } = first.value;
  const device = { channel: 'fcm', endpoint: `anonymous-${nextName(worker)}` } as const;
  const { reply: added } = yield* persist(app.ordinal, 'sdk.register', { clientToken, device });
  if (app.leaving) return;
  if (!added.ok) return unexpected(worker, 'sdk.register', added);
  yield* pause(coin(rng, 0.5) ? 1 : span(rng, 1_000, hourMs));
  const person = somebody(worker);
  if (app.leaving || !person.exists) return;
  const login = { tokenKey, clientToken, externalUserId: person.externalUserId };
  let { reply, lost } = yield* persist(app.ordinal, 'sdk.login', { login });
  if (lost > 0 && isFault(reply, 'invalid_client_token')) {
    // The lost one has ended the anonymous token. Its answer never came, so log in without.
    const { externalUserId } = login;
    const again = yield* persist(app.ordinal, 'sdk.login', { login: { tokenKey, externalUserId } });
    reply = again.reply;
    lost += 1 + again.lost;
  }
  if (app.leaving) return;
  if (!reply.ok) return unexpected(worker, 'sdk.login of somebody known', reply);
  register(worker, person, device, true);
  widen(worker, `session|${person.externalUserId}`, 1, lost + 1);
}

/** After the faults: paused campaigns go on, and all of them have to come to their end. */
export function* endCampaigns(worker: Worker): Client {
  const { app, findings, latestMs } = worker;
  const untilMs = latestMs() + 4 * dayMs;
  for (;;) {
    const { reply } = yield* persist(app.ordinal, 'campaign.list', { limit: 200 }, { by: app.org });
    if (!reply.ok) return unexpected(worker, 'campaign.list', reply);
    const open = reply.value.items.filter(({ state }) =>
      ['scheduled', 'sending', 'paused'].includes(state),
    );
    if (open.length === 0) return;
    for (const { id, state } of open) if (state === 'paused') yield* verb(worker, 'resume', id);
    if (latestMs() > untilMs) {
      const ids = open.map(({ id }) => id).slice(0, 5);
      const { reply: stats } = yield* persist(app.ordinal, 'campaign.stats', { ids });
      findings.add('campaign_ends', `${JSON.stringify(open[0])}: ${JSON.stringify(stats)}`);
      return;
    }
    yield* pause(20 * minuteMs);
  }
}

function* forget(worker: Worker, id: string): Client {
  const { app } = worker;
  const { reply } = yield* persist(app.ordinal, 'campaign.delete', { id }, { by: app.org });
  if (!app.leaving && !reply.ok && !isConflict(reply) && !isFault(reply, 'not_found'))
    unexpected(worker, 'campaign.delete', reply);
}

type Verb = 'send' | 'pause' | 'resume' | 'cancel' | 'unschedule' | 'archive' | 'unarchive';

function* verb(worker: Worker, what: Verb, id: string, more: object = {}): Client {
  const { app } = worker;
  const body = { id, ...more };
  const { reply } = yield* persist(app.ordinal, `campaign.${what}`, body, { by: app.org });
  if (app.leaving || reply.ok) return;
  if (!isConflict(reply) && !isFault(reply, 'not_found'))
    unexpected(worker, `campaign.${what}`, reply);
}

function* saveMessage(worker: Worker): Client {
  const { app, rng } = worker;
  const ttl = coin(rng, 0.3) ? { ttlSeconds: Math.ceil(span(rng, 1, 7_200)) } : {};
  const content = { title: 'News of {{ city }}', body: `For {{ plan }}`, ...ttl };
  const { reply } = yield* persist(
    app.ordinal,
    'message.create',
    { message: { content } },
    { by: app.org },
  );
  if (app.leaving) return;
  if (!reply.ok) return unexpected(worker, 'message.create', reply);
  worker.messages.push(reply.value.id);
}

/** Any kind of campaign that its author may make. */
function drawCampaign(worker: Worker): CampaignInput {
  const { rng, messages } = worker;
  const maybe = <Part extends CampaignInput>(probability: number, part: () => Part) =>
    coin(rng, probability) ? part() : {};
  const [first = '', second = ''] = [pick(rng, messages), pick(rng, messages)];
  const schedule = drawSchedule(worker);
  const ownHour = schedule.type !== 'recurring' && coin(rng, 0.15);
  const chosen = draw(worker, 4);
  const hasFallback = !ownHour && chosen.length > 1 && coin(rng, 0.5);
  const channels = hasFallback ? chosen.slice(0, -1) : chosen;
  const decideAfterMinutes = whole(rng, 1, 30);
  const goal = { event: 'order', withinHours: pick(rng, [1, 6, 48]) };
  const segments = [...worker.segments].filter(([, filter]) => !filter.includes('atLeast'));
  return {
    name: nextName(worker),
    messageId: first,
    schedule,
    ifLate: pick(rng, ['send', 'skip', 'hold']),
    ...(hasFallback || coin(rng, 0.7) ? { channels } : {}),
    ...(hasFallback
      ? { fallbackChannels: chosen.slice(-1), fallbackAfterMinutes: whole(rng, 5, 30) }
      : {}),
    ...(segments.length > 0 && coin(rng, 0.3)
      ? { segmentId: pick(rng, segments)[0] }
      : maybe(0.3, () => ({ filter: drawPlainFilter(rng) }))),
    ...(ownHour ? { timezoneDelivery: { at: pick(rng, ['09:00', '18:30', '02:30']) } } : {}),
    ...maybe(0.3, () => ({ throttle: { perMinute: pick(rng, [1, 5, 60, 600]) } })),
    ...maybe(0.3, () => ({ holdoutShare: pick(rng, [0.2, 0.5]) })),
    ...maybe(0.35, () => ({
      variants: [
        { id: 'a', weight: whole(rng, 1, 3), messageId: first },
        { id: 'b', weight: 1, messageId: second },
      ],
      ...(ownHour || coin(rng, 0.4)
        ? {}
        : {
            experiment: {
              sampleShare: pick(rng, [0.2, 0.5]),
              winnerMetric: pick(rng, ['opened', 'clicked'] as const),
              decideAfterMinutes,
            },
          }),
    })),
    ...maybe(0.4, () => ({ goal })),
  } satisfies Partial<CampaignSpec> as CampaignInput;
}

function drawSchedule({ rng, latestMs }: Worker): Schedule {
  const dice = whole(rng, 0, 9);
  if (dice < 6) return { type: 'now' };
  if (dice < 8) return { type: 'at', atMs: Math.floor(latestMs() + span(rng, 1_000, 6 * hourMs)) };
  const at = `${String(whole(rng, 0, 23)).padStart(2, '0')}:15`;
  const timezone = pick(rng, zones);
  const endMs = Math.floor(latestMs() + whole(rng, 2, 30) * hourMs);
  return { type: 'recurring', every: pick(rng, ['hour', 'day']), at, timezone, endMs };
}

function draw({ rng }: Worker, most: number): ChannelId[] {
  return [...new Set(Array.from({ length: whole(rng, 1, most) }, () => pick(rng, channelsNamed)))];
}
