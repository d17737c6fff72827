// What webhooks see of a partition's memory: of an app, of the partition.

import type { Aged, AppsOf } from '../../area.ts';
import type { AudienceReads } from '../../people/audience/reads.ts';
import type { AccountsReads } from '../../tenants/accounts/reads.ts';
import type { WebhooksApp } from './state.ts';

export type WebhooksView = WebhooksApp & AccountsReads & AudienceReads & EventNumbers;

interface EventNumbers {
  readonly nextEvent: number;
}

export type WebhooksMemory = AppsOf<WebhooksView> & Aged;
