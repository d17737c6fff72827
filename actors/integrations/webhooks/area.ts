// Outbound webhooks: destinations, and the ledger of what is sent to them.

import {
  webhookChunks,
  webhookDeliveries,
  webhookDues,
  webhookTries,
} from '../../../storage/tables/webhook.ts';
import type { Area, Editable } from '../../area.ts';
import type { Notes } from '../../audit-note.ts';
import { webhooksApplies } from './apply.ts';
import { checkWebhooks } from './check.ts';
import { WebhookClock, type WebhookClockRules } from './clock.ts';
import { type WebhooksRules, webhooksDecisions } from './decide.ts';
import { destinationEtag } from './destination.ts';
import { type WebhooksMemory, type WebhooksView, webhooksOfApp } from './memory.ts';
import type { WebhooksEntry } from './protocol.ts';

/** What the audit log notes of webhook destinations, without addresses and secrets. */
const webhooksNotes: Notes<WebhooksEntry, unknown> = {
  'webhook.saved': (_state, { destination }, _context, message) => {
    const { type: target, enabled, disabledReason, events, concurrency } = destination;
    const after = { enabled, disabledReason, events, concurrency };
    switch (message.kind) {
      case 'destination.put':
        return { action: 'integration.saved', target, after };
      case 'destination.rotate':
        return { action: 'integration.secret_replaced', target };
      case 'webhook.report':
        return { action: 'integration.disabled', target, after: { enabled, disabledReason } };
      default:
        return undefined; // sealed anew
    }
  },
  'webhook.removed': (_state, { type }) => ({ action: 'integration.removed', target: type }),
};

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
  edits: {
    'destination.put': destinationOf,
    'destination.rotate': destinationOf,
  },
  ends: {
    'destination.remove': destinationOf,
  },
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

/**
 * What counts as a change of a destination for those who edit it: all that they set, its sealed
 * address and secret included, and not how its deliveries go.
 */
function destinationOf(
  { apps }: WebhooksMemory,
  { type }: { readonly type: string },
  { owner }: { readonly owner: number },
): Editable | undefined {
  const app = apps.get(owner);
  if (app === undefined) return undefined;
  const record = app.webhooks.byType(type)?.record;
  const key = `integration ${type}`;
  return record === undefined
    ? { key }
    : { key, etag: destinationEtag(record), changedMs: record.updatedMs };
}
