// The sandbox's routes below /control; stand-ins add theirs, and GET /control lists all.

import { z } from 'zod';
import {
  type ControlAnswer,
  type ControlRequest,
  type ControlRoute,
  ok,
  parseControl,
  refused,
} from './control-route.ts';
import { dnsControls } from './dns/dns-controls.ts';
import { sharedFaults } from './faults.ts';
import type { Ledger } from './ledger.ts';
import { detailOf, findMessages, listLimitMax, summaryOf } from './search.ts';
import type { StandIn, World } from './stand-in.ts';
import { tryControls } from './try/try-controls.ts';
import type { WebhookReceiver } from './webhook-receiver/receiver.ts';
import { receiverControls } from './webhook-receiver/receiver-controls.ts';

/** The longest delay of rules and names. */
const latencyMsMax = 60_000;

const newRule = z
  .strictObject({
    channel: z.string().min(1).default('*'),
    match: z.string().min(1).default('*'),
    fault: z.enum(['latency', 'status', 'hang', 'drop']),
    value: z.int().min(0).max(latencyMsMax).optional(),
    retryAfterSeconds: z.int().min(0).max(86_400).optional(),
    count: z.int().min(1).optional(),
  })
  .refine(
    ({ fault, value }) =>
      fault !== 'status' || (value !== undefined && value >= 400 && value <= 599),
    {
      path: ['value'],
      message: 'a status fault needs a code from 400 to 599',
    },
  );
const recordSetting = z.strictObject({ on: z.boolean() });
const listQuery = z.object({
  channel: z.string().optional(),
  to: z.string().optional(),
  q: z.string().optional(),
  sendId: z.string().optional(),
  app: z.string().optional(),
  beforeId: z.coerce.number().int().positive().optional(),
  limit: z.coerce.number().int().min(1).max(listLimitMax).default(100),
});

/** All but the event stream, which is not JSON. */
export function controlRoutes(
  world: World,
  standIns: readonly StandIn[],
  receiver: WebhookReceiver,
): readonly ControlRoute[] {
  const { ledger } = world;
  const routes: ControlRoute[] = [
    ...messageRoutes(ledger),
    ...faultRoutes(world),
    ...dnsControls(world.zone),
    ...receiverControls(receiver, () => world.url()),
    ...tryControls(world.tryPlace, () => world.clock.now()),
    {
      method: 'POST',
      path: '/record',
      about:
        '{on}: whether messages are kept; off is for benchmarks, calls are still answered and counted.',
      handle({ body }) {
        const parsed = parseControl(recordSetting, body);
        if ('refusal' in parsed) return parsed.refusal;
        ledger.recording = parsed.value.on;
        return ok({ on: ledger.recording });
      },
    },
    {
      method: 'GET',
      path: '/stats',
      about:
        'Calls by channel, and (send, device) pairs accepted more than once; ?sendId= lists the pairs of a send.',
      handle: ({ query }) => ok(statsOf(ledger, query.get('sendId'))),
    },
    {
      method: 'POST',
      path: '/reset',
      about: 'Forgets messages, faults, DNS records, webhooks and counts, and records again.',
      handle() {
        world.faults.clear();
        world.zone.clear();
        ledger.counts.clear();
        ledger.clear();
        ledger.recording = true;
        receiver.reset();
        return ok({ reset: true });
      },
    },
    {
      method: 'GET',
      path: '/channels',
      about: 'The stand-ins, and the recipient names that make each of them fail.',
      handle: () => ok({ channels: standIns.map(channelView) }),
    },
    ...standIns.flatMap((standIn) => standIn.controls ?? []),
  ];
  const index: ControlRoute = {
    method: 'GET',
    path: '',
    about: 'This list.',
    handle: () =>
      ok({
        routes: [...routes, index].map(({ method, path, about }) => ({
          method,
          path: `/control${path}`,
          about,
        })),
      }),
  };
  return [...routes, index];
}

/** 404 for an unknown path, 405 for another method. */
export function answerControl(
  routes: readonly ControlRoute[],
  method: string,
  path: string,
  query: URLSearchParams,
  body: unknown,
): ControlAnswer | Promise<ControlAnswer> {
  let isKnown = false;
  for (const route of routes) {
    const id = matchPath(route.path, path);
    if (id === undefined) continue;
    isKnown = true;
    if (route.method === method) return route.handle({ id, query, body });
  }
  return isKnown
    ? refused(405, `${method} is not allowed here`)
    : refused(404, 'no such control route; GET /control lists them');
}

/** The text for `:id` (empty without one), or `undefined` if the path differs. */
function matchPath(pattern: string, path: string): string | undefined {
  if (!pattern.endsWith('/:id')) return pattern === path ? '' : undefined;
  const prefix = pattern.slice(0, -3);
  const id = path.slice(prefix.length);
  return path.startsWith(prefix) && id !== '' && !id.includes('/') ? id : undefined;
}

function messageRoutes(ledger: Ledger): ControlRoute[] {
  return [
    {
      method: 'GET',
      path: '/messages',
      about: 'Messages, newest first: ?channel=&to=&q=&sendId=&app=&beforeId=&limit=',
      async handle({ query }) {
        const given = Object.fromEntries([...query].filter(([, value]) => value !== ''));
        const parsed = parseControl(listQuery, given);
        if ('refusal' in parsed) return parsed.refusal;
        const found = await findMessages(ledger, parsed.value);
        const messages = await Promise.all(found.map((message) => summaryOf(ledger, message)));
        return ok({ messages, held: ledger.held });
      },
    },
    {
      method: 'GET',
      path: '/messages/:id',
      about: 'One message whole, with the raw exchange.',
      handle: (request) => oneMessage(ledger, request),
    },
    {
      method: 'DELETE',
      path: '/messages',
      about: 'Forgets every message; counts and faults stay.',
      handle() {
        ledger.clear();
        return ok({ cleared: true });
      },
    },
  ];
}

async function oneMessage(ledger: Ledger, { id }: ControlRequest): Promise<ControlAnswer> {
  const message = ledger.get(Number(id));
  return message
    ? ok(await detailOf(ledger, message))
    : refused(404, 'no such message, or no longer held');
}

function faultRoutes({ faults }: World): ControlRoute[] {
  return [
    {
      method: 'GET',
      path: '/faults',
      about: 'The fault rules in force, newest first.',
      handle: () => ok({ faults: faults.list() }),
    },
    {
      method: 'POST',
      path: '/faults',
      about:
        '{channel?, match?, fault: latency|status|hang|drop, value?, retryAfterSeconds?, count?}: adds a rule.',
      handle({ body }) {
        const parsed = parseControl(newRule, body);
        return 'refusal' in parsed
          ? parsed.refusal
          : { status: 201, body: faults.add(parsed.value) };
      },
    },
    {
      method: 'DELETE',
      path: '/faults',
      about: 'Removes every rule.',
      handle() {
        faults.clear();
        return ok({ faults: [] });
      },
    },
    {
      method: 'DELETE',
      path: '/faults/:id',
      about: 'Removes one rule.',
      handle: ({ id }) =>
        faults.remove(Number(id)) ? ok({ faults: faults.list() }) : refused(404, 'no such rule'),
    },
  ];
}

function statsOf(ledger: Ledger, sendId: string | null) {
  const whole = {
    recording: ledger.recording,
    held: ledger.held,
    channels: ledger.counts.channels(),
  };
  return sendId
    ? { ...whole, sendId, devices: ledger.counts.pairsOf(sendId) }
    : { ...whole, sends: ledger.counts.repeats() };
}

function channelView({ channel, label, look, namedFaults, ...standIn }: StandIn) {
  return {
    channel,
    label: label ?? channel,
    look: look ?? null,
    urls: standIn.transport === 'http' ? standIn.urls : { [standIn.urlName]: '' },
    faults: [...namedFaults, ...sharedFaults].map(({ prefix, says }) => ({ prefix, says })),
  };
}
