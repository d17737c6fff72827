// Folds destinations, and the counts of their deliveries.

import type { Applies } from '../../../engine/actor/protocol.ts';
import { foldSwitchedOff } from './follow.ts';
import type { WebhooksMemory } from './memory.ts';
import type { WebhooksEntry } from './protocol.ts';

export const webhooksApplies: Applies<WebhooksEntry, WebhooksMemory> = {
  'webhook.saved': (state, { owner, destination }) => {
    const app = state.apps.get(owner);
    if (app === undefined) return;
    const before = app.webhooks.destinations.get(destination.number);
    app.webhooks.save(destination);
    if (before?.record.enabled === true) foldSwitchedOff(app, destination, before.health);
  },
  'webhook.removed': (state, { owner, destination, atMs }) => {
    state.apps.get(owner)?.webhooks.remove(destination, atMs);
  },
  'webhook.written': (state, entry) => {
    state.apps.get(entry.owner)?.webhooks.written(entry);
  },
  'webhook.settled': (state, entry) => {
    state.apps.get(entry.owner)?.webhooks.settled(entry);
  },
  'webhook.swept': (state, entry) => {
    state.apps.get(entry.owner)?.webhooks.passes.swept(entry);
  },
};
