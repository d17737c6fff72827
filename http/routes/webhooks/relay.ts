// What mail services tell of the mails that they accepted. The owner of the relay, an app or an
// org, opens what proves the call; each app that its events name takes its own, in parts, and
// answers that the relay is one of its own. Answered once all have them.

import type { ChannelId } from '../../../actors/channels/channel-ids.ts';
import type { OpenRelay } from '../../../actors/channels/port/open-relay.ts';
import type { CallbackCounts } from '../../../actors/channels/port/outcome.ts';
import type { ReadRelayCall, RelayItem } from '../../../actors/channels/port/relay-events.ts';
import { fault, notFound } from '../../../actors/faults.ts';
import { limits } from '../../../actors/limits.ts';
import type { CallbacksProtocol } from '../../../actors/sending/callbacks/protocol.ts';
import type { RelaysProtocol } from '../../../actors/tenants/relays/protocol.ts';
import { hourMs, type Ordinal } from '../../../engine/base/brand.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { parseId } from '../../../engine/base/id.ts';
import type { Call } from '../../call/call.ts';
import { route } from '../../call/route.ts';
import { callback, countsSchema } from './told.ts';

type RelayEvents = CallbacksProtocol['callback.relay']['body']['events'];
type Items = CallbacksProtocol['callback.gateway']['body']['items'];
const refusals = {
  signature: fault('invalid_signature', 'the proof of the call does not match the stored secret'),
  too_old: fault('invalid_signature', 'the call was signed too long ago'),
  unreadable: fault('invalid_signature', 'the call cannot be read, so it proves nothing'),
} as const;

const unreadable = fault(
  'not_configured',
  "the relay's configuration cannot be decrypted: save it again",
);
/** Some services never repeat a call after a 4xx. */
const unavailable = fault(
  'proof_unavailable',
  'the proof of the call cannot be checked now; repeat it',
);

type Counts = { -readonly [Name in keyof CallbackCounts]: number };

const address = {
  ...callback,
  path: '/v1/webhooks/relay/:relayId',
  params: { relayId: 'Id of the relay: `rel_…`.' },
  responses: {
    200: {
      description: 'Accepted and stored by every app that is named. Counts per result.',
      schema: countsSchema,
    },
  },
} as const;

export const receiveRelay = route({
  ...address,
  method: 'POST',
  summary: 'Relay webhook',
  description:
    "Called by a mail service with the status of messages that it accepted; configure this URL at the service. Each service proves itself in its own way, with what the relay's configuration has: by a signature over the raw body, or by the credentials of the URL. Events name their message by a mark that Engage puts into a tag or a header. A delivery becomes a `delivered` receipt, a bounce a `bounced` one, a complaint ends marketing for the address. Repeated events, in any order, change nothing. Events without a mark, or about messages of an app that does not use this relay, are ignored. A gateway for texts reports here too, and posts what people reply: STOP opts the number out.",
  rawBody: true,
  refusals: [403, 404, 413, 503],
  handle: receive,
});

export const receiveRelayQuery = route({
  ...address,
  method: 'GET',
  summary: 'Relay webhook by query',
  description:
    'The same for gateways for texts that report by GET, with everything in the query. The proof is checked as for POST.',
  reads: ['relay'],
  refusals: [403, 404, 503],
  handle: receive,
});

async function receive(call: Call<unknown, unknown>) {
  const { relay, channel } = await opened(call);
  const read = (await call.edge.readRelayCall?.(relay.kind, relay.config, {
    body: call.bytes,
    header: (name) => call.header(name),
    query: call.target.split('?').slice(1).join('?'),
  })) as ReadRelayCall | undefined;
  if (read === undefined) throw new FaultError(notFound('relay'));
  if (read.state === 'unavailable') throw new FaultError(unavailable);
  const refused = read.state === 'refused' ? read.reason : await refusedByOwner(call, relay, read);
  if (refused !== undefined) {
    call.edge.countRelayRefusal?.(relay.kind, refused);
    throw new FaultError(refusals[refused]);
  }
  const body: Counts = { taken: 0, repeated: 0, ignored: 0 };
  if (read.state === 'read') await tellAll(call, relay.id, read, body);
  call.edge.countCallbacks?.(channel, body);
  return { status: 200, body } as const;
}

/** A proof that does not cover the body holds for the first body alone. */
async function refusedByOwner(
  call: Call<unknown, unknown>,
  { id: relayId }: OpenRelay,
  read: ReadRelayCall,
): Promise<keyof typeof refusals | undefined> {
  if (read.state !== 'read' || read.proof === undefined) return undefined;
  const owner = call.to<CallbacksProtocol>(parseId('rel', relayId)?.ordinal ?? 0);
  const isProven = await owner.ask('callback.proof', { relayId, ...read.proof });
  return isProven ? undefined : 'signature';
}

async function tellAll(
  call: Call<unknown, unknown>,
  relayId: string,
  { events, ignored, items = [] }: Extract<ReadRelayCall, { state: 'read' }>,
  counts: Counts,
): Promise<void> {
  counts.ignored = ignored;
  for (const [app, own] of byApp(events))
    await tell(own, counts, (part) =>
      call.to<CallbacksProtocol>(app).ask('callback.relay', { relayId, events: part }),
    );
  for (const [app, own] of itemsByApp(items, parseId('rel', relayId)?.ordinal ?? 0))
    await tell(own, counts, (part) =>
      call.to<CallbacksProtocol>(app).ask('callback.gateway', { relayId, items: part }),
    );
  const reports = events.length > 0 || items.some(({ item }) => item.kind === 'status');
  if (reports) await heard(call, relayId);
}

/** Proven calls tell the owner that the relay reports, once an hour. */
const heardHours = new Map<string, number>();
const heardMax = 10_000;

async function heard(call: Call<unknown, unknown>, relayId: string): Promise<void> {
  const owner = parseId('rel', relayId)?.ordinal ?? 0;
  const hour = Math.floor(call.edge.clock.now() / hourMs);
  if (heardHours.get(relayId) === hour) return;
  await call.to<RelaysProtocol>(owner).ask('relay.reported', { relayId });
  if (heardHours.size >= heardMax) heardHours.clear();
  heardHours.set(relayId, hour);
}

interface OpenedRelay {
  readonly relay: OpenRelay;
  readonly channel: ChannelId;
}

/** What the relay's owner, an app or an org, has of it. */
async function opened(call: Call<unknown, unknown>): Promise<OpenedRelay> {
  const relayId = call.param('relayId');
  const owner = parseId('rel', relayId)?.ordinal;
  if (owner === undefined) throw new FaultError(notFound('relay'));
  const { relay, channel } = await call.to<RelaysProtocol>(owner).ask('relay.open', { relayId });
  if (relay === null) throw new FaultError(unreadable);
  return { relay, channel };
}

function byApp(events: RelayEvents): ReadonlyMap<Ordinal, RelayEvents> {
  const apps = new Map<Ordinal, RelayEvents[number][]>();
  for (const event of events) {
    const app = parseId('ntf', event.sendId)?.ordinal ?? 0;
    const known = apps.get(app);
    if (known === undefined) apps.set(app, [event]);
    else known.push(event);
  }
  return apps;
}

/** Where a call names no app, the relay's owner is meant; an org has no messages. */
function itemsByApp(items: readonly RelayItem[], owner: Ordinal): ReadonlyMap<Ordinal, Items> {
  const apps = new Map<Ordinal, Items[number][]>();
  for (const { app = owner, item } of items) {
    const known = apps.get(app);
    if (known === undefined) apps.set(app, [item]);
    else known.push(item);
  }
  return apps;
}

/** Each part is durable before the next. An app that is gone has nothing to be told. */
async function tell<Item>(
  items: readonly Item[],
  counts: Counts,
  ask: (part: readonly Item[]) => Promise<CallbackCounts>,
): Promise<void> {
  for (let from = 0; from < items.length; from += limits.callbackItemsMax) {
    const part = items.slice(from, from + limits.callbackItemsMax);
    try {
      const { taken, repeated, ignored } = await ask(part);
      counts.taken += taken;
      counts.repeated += repeated;
      counts.ignored += ignored;
    } catch (error) {
      if (!(error instanceof FaultError) || error.fault.code !== 'not_found') throw error;
      counts.ignored += part.length;
    }
  }
}
