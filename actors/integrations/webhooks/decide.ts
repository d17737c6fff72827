// Decides about destinations and their deliveries.

import type { Decisions } from '../../../engine/actor/protocol.ts';
import type { Sealer } from '../../sealer.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import {
  listDestinations,
  putDestination,
  removeDestination,
  rotateSecret,
  testDestination,
} from './destinations.ts';
import { listDeliveries, readDelivery, retryDeliveries, retryDelivery } from './ledger.ts';
import type { WebhooksMemory } from './memory.ts';
import type { WebhooksProtocol } from './protocol.ts';
import { takeReports } from './report.ts';
import { sweepLedger } from './sweep.ts';
import { type EventMeta, writeHappened } from './write.ts';

export interface WebhooksRules {
  readonly sealer: Sealer;
  readonly eventMeta: EventMeta;
}

export const webhooksDecisions = ({
  sealer,
  eventMeta,
}: WebhooksRules): Decisions<WebhooksProtocol, WebhooksMemory> => ({
  'destination.put': (state, { type, input }, context) =>
    withApp(state, context, (app) => putDestination(app, type, input, sealer, context)),

  'destination.list': (state, _message, context) =>
    withApp(state, context, (app) => listDestinations(app, context)),

  'destination.remove': (state, { type }, context) =>
    withApp(state, context, (app) => removeDestination(app, type, context)),

  'destination.rotate': (state, { type, freshSecret }, context) =>
    withApp(state, context, (app) => rotateSecret(app, type, freshSecret, sealer, context)),

  'destination.test': (state, { type }, context) =>
    withApp(state, context, (app) => testDestination(app, type, context)),

  'webhook_delivery.list': (state, message, context) =>
    withApp(state, context, (app) => listDeliveries(app, message, context)),

  'webhook_delivery.read': (state, { id }, context) =>
    withApp(state, context, (app) => readDelivery(app, id, context)),

  'webhook_delivery.retry': (state, { id }, context) =>
    withApp(state, context, (app) => retryDelivery(app, id, context)),

  'webhook_delivery.retry_all': (state, message, context) =>
    withApp(state, context, (app) => retryDeliveries(app, message, context)),

  'webhook.write': (state, _message, context) =>
    withApp(state, context, (app) => writeHappened(app, eventMeta, context)),

  'webhook.report': (state, { destination, reports }, context) =>
    withApp(state, context, (app) => takeReports(app, destination, reports, context)),

  'webhook.sweep': (state, _message, context) =>
    withApp(state, context, (app) => sweepLedger(app, context)),
});
