// Saves, lists and removes an app's destinations. A subscription counts from the turn of its save.

import { accepted, type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import { fault, notFound } from '../../faults.ts';
import { type Sealer, webhookPlace } from '../../sealer.ts';
import { deliveryId } from './delivery-id.ts';
import {
  type DestinationRecord,
  type DestinationSecrets,
  destinationEtag,
  destinationsMax,
  healthWord,
  legacyNumber,
  legacyType,
  previousSecretMs,
} from './destination.ts';
import { noIds } from './event.ts';
import type { WebhooksView } from './memory.ts';
import { secretsOf } from './open-destination.ts';
import type {
  DestinationInput,
  DestinationView,
  WebhooksEntry,
  WebhooksProtocol,
} from './protocol.ts';
import type { Destination } from './webhooks.ts';
import { ChunkWriter } from './write.ts';

export function putDestination(
  { webhooks }: WebhooksView,
  type: string,
  input: DestinationInput,
  sealer: Sealer,
  { owner, nowMs, rng }: Context,
): Decision<WebhooksProtocol['destination.put']['reply']> {
  const before = webhooks.byType(type);
  const count = [...webhooks.destinations.keys()].filter((one) => one !== legacyNumber).length;
  if (before === undefined && count >= destinationsMax)
    return refused(fault('limit_reached', `an app has at most ${destinationsMax} destinations`));
  const number = before?.record.number ?? webhooks.nextNumber;
  const known = before && secretsOf(owner, before.record, sealer);
  const secret = input.secret ?? known?.secret ?? input.freshSecret;
  const isKept = secret === known?.secret && known?.previous !== undefined;
  const secrets: DestinationSecrets = {
    url: input.url,
    headers: input.headers,
    ...(secret === undefined ? {} : { secret }),
    ...(isKept ? { previous: known.previous } : {}),
  };
  const record: DestinationRecord = {
    number,
    type,
    sealed: sealer.seal(JSON.stringify(secrets), webhookPlace(owner, number), rng),
    events: input.events,
    enabled: input.enabled,
    concurrency: input.concurrency,
    createdMs: before?.record.createdMs ?? nowMs,
    updatedMs: nowMs,
  };
  const entry: WebhooksEntry = { kind: 'webhook.saved', owner, destination: record };
  const shown = { record, open: before?.open ?? 0, health: before?.health ?? { failures: 0 } };
  return accepted(
    {
      destination: destinationView(shown, nowMs),
      created: before === undefined,
      isSecretFresh: secret !== undefined && secret === input.freshSecret,
    },
    { entries: [entry] },
  );
}

function destinationView(
  { record, open, health }: Pick<Destination, 'record' | 'open' | 'health'>,
  nowMs: Millis,
): DestinationView {
  const {
    type,
    enabled,
    disabledReason = null,
    events,
    concurrency,
    createdMs,
    updatedMs,
  } = record;
  const word = healthWord(health, nowMs);
  return {
    type,
    enabled,
    disabledReason,
    events,
    concurrency,
    health: word,
    pending: open,
    etag: destinationEtag(record),
    createdMs,
    updatedMs,
  };
}

export function listDestinations(
  { webhooks }: WebhooksView,
  { nowMs }: Context,
): Decision<readonly DestinationView[]> {
  const shown = [...webhooks.destinations.values()].map((one) => destinationView(one, nowMs));
  return accepted(shown.sort((a, b) => (a.type < b.type ? -1 : 1)));
}

export function removeDestination(
  { webhooks }: WebhooksView,
  type: string,
  { owner, nowMs }: Context,
): Decision<null> {
  const one = webhooks.byType(type);
  if (one === undefined || type === legacyType) return refused(notFound('integration'));
  const { number: destination } = one.record;
  const entry: WebhooksEntry = { kind: 'webhook.removed', owner, destination, type, atMs: nowMs };
  return accepted(null, { entries: [entry] });
}

export function rotateSecret(
  { webhooks }: WebhooksView,
  type: string,
  freshSecret: string,
  sealer: Sealer,
  { owner, nowMs, rng }: Context,
): Decision<null> {
  const one = webhooks.byType(type);
  if (one === undefined || type === legacyType) return refused(notFound('integration'));
  if (type === 'slack')
    return refused(fault('wrong_state', 'a chat workspace has no secret; its URL is the secret'));
  const { record } = one;
  const { secret, previous: _older, ...rest } = secretsOf(owner, record, sealer);
  const untilMs = nowMs + previousSecretMs;
  const secrets: DestinationSecrets = {
    ...rest,
    secret: freshSecret,
    ...(secret === undefined ? {} : { previous: { secret, untilMs } }),
  };
  const place = webhookPlace(owner, record.number);
  const sealed = sealer.seal(JSON.stringify(secrets), place, rng);
  const destination = { ...record, sealed, updatedMs: nowMs };
  const entry: WebhooksEntry = { kind: 'webhook.saved', owner, destination };
  return accepted(null, { entries: [entry] });
}

/** A real delivery of its own, to this destination alone. */
export function testDestination(
  app: WebhooksView,
  type: string,
  context: Context,
): Decision<{ id: string }> {
  const one = app.webhooks.byType(type);
  if (one === undefined || type === legacyType) return refused(notFound('integration'));
  if (!one.record.enabled)
    return refused(fault('wrong_state', 'this integration is disabled; enable it to test it'));
  const writer = new ChunkWriter(app, context);
  const chunk = writer.add(
    [
      {
        kind: 'webhook.test',
        ...noIds,
        atMs: context.nowMs,
        seq: app.nextEvent - 1,
        metaJson: '{}',
      },
    ],
    [one],
  );
  if (chunk === undefined) return refused(notFound('integration'));
  const name = { ...chunk, destination: one.record.number, place: 0 };
  return accepted({ id: deliveryId(context.owner, name) }, writer.result(0));
}
