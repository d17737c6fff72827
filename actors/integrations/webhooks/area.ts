// Outbound webhooks: destinations, and the ledger of what is sent to them.

import {
  webhookChunks,
  webhookDeliveries,
  webhookDues,
  webhookTries,
} from '../../../storage/tables/webhook.ts';
import type { Area } from '../../area.ts';
import { webhooksApplies } from './apply.ts';
import { checkWebhooks } from './check.ts';
import { WebhookClock, type WebhookClockRules } from './clock.ts';
import { type WebhooksRules, webhooksDecisions } from './decide.ts';
import { destinationEdits, destinationEnds } from './edits.ts';
import { type WebhooksMemory, type WebhooksView, webhooksOfApp } from './memory.ts';
import { webhooksNotes } from './notes.ts';

export const webhooksArea = {
  name: 'webhooks',
  clock: (rules: WebhookClockRules) => new WebhookClock(rules),
  app: webhooksOfApp,
  decide: (rules: WebhooksRules) => webhooksDecisions(rules),
  apply: webhooksApplies,
  silent: [
    'webhook.saved',
    'webhook.removed',
    'webhook.written',
    'webhook.settled',
    'webhook.swept',
  ],
  edits: destinationEdits,
  ends: destinationEnds,
  notes: webhooksNotes,
  stores: {
    'destination.test': 'copies',
    'webhook_delivery.retry': 'copies',
    'webhook_delivery.retry_all': 'copies',
  },
  whenDiskIsFull: [
    'destination.list',
    'destination.remove',
    'webhook_delivery.list',
    'webhook_delivery.read',
    'webhook.report', // an outcome that is refused does not come again
  ],
  // Deliveries about people who changed may begin.
  inFlight: ({ webhooks }, areErased) =>
    areErased && [...webhooks.destinations.values()].some(({ open }) => open > 0)
      ? () => true
      : undefined,
  check: checkWebhooks,
  stored: {
    tables: [
      ['webhooks', webhookChunks],
      ['webhooks', webhookDeliveries],
      ['webhooks', webhookDues],
      ['webhooks', webhookTries],
    ],
  },
  tables: [webhookChunks, webhookDeliveries, webhookDues, webhookTries],
  on: {
    personErased: ({ webhooks }) => webhooks.passes.erased(),
    peopleExpired: ({ webhooks }) => webhooks.passes.erased(),
    settingsChanged: ({ webhooks }, settings, atMs) => webhooks.settings(settings, atMs),
    clockRebased: ({ apps }, to) => {
      for (const { webhooks } of apps.values()) webhooks.rebase(to);
    },
    restoreBegun: ({ webhooks }, atMs) =>
      webhooks.replayed.restored(atMs, webhooks.unwritten.length),
    backupRestored: ({ webhooks }, { atMs }) => webhooks.hold(atMs),
  },
} as const satisfies Area<never, WebhooksMemory, WebhooksView, object>;
