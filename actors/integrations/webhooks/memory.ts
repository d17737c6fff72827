// What memory holds of webhooks; and what webhooks see of a partition's memory: of an app, of the
// partition.

import type { Aged, AppsOf, NewApp, Slice } from '../../area.ts';
import type { AudienceReads } from '../../people/audience/reads.ts';
import type { AccountsReads } from '../../tenants/accounts/reads.ts';
import { type LegacySettings, Webhooks, type WebhooksSnapshot } from './webhooks.ts';

export interface WebhooksApp {
  readonly webhooks: Webhooks;
}

interface AppSnapshot {
  /** Absent in checkpoints of older releases, which have the settings. */
  readonly webhooks?: WebhooksSnapshot;
  readonly settings?: LegacySettings;
}

export const webhooksOfApp: Slice<WebhooksApp, AppSnapshot, NewApp> = {
  make: () => ({ webhooks: new Webhooks() }),
  snapshot: ({ webhooks }) => ({ webhooks: webhooks.snapshot() }),
  restore: ({ webhooks: from, settings }) => {
    if (from !== undefined) return { webhooks: Webhooks.restore(from, settings) };
    const webhooks = new Webhooks();
    if (settings !== undefined) webhooks.settings(settings);
    return { webhooks };
  },
};

export type WebhooksView = WebhooksApp & AccountsReads & AudienceReads & EventNumbers;

interface EventNumbers {
  readonly nextEvent: number;
}

export type WebhooksMemory = AppsOf<WebhooksView> & Aged;
