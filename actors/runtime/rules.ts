// What the operator's set-up tells decisions and the pump of a partition.

import type { HashKey } from '../../engine/base/hash.ts';
import type { EveryArea } from '../area.ts';
import type { WebhookReaders } from '../channels/callback-item.ts';
import type { Keyring } from '../people/identity/keyring.ts';
import type { Sealer } from '../sealer.ts';
import type { CredentialCache, DispatchPlan } from '../sending/transactional/pump.ts';
import type { Restored } from './restored.ts';
import type { AppState } from './state.ts';

export interface ProductOptions {
  readonly sealer: Sealer;
  readonly plan: DispatchPlan;
  readonly allowHttpEndpoints: boolean;
  /** This process's secret for tables keyed by client strings. */
  readonly tableKey: HashKey;
  /** What the store says of its last restore; absent for a store that never was restored. */
  readonly restored?: Restored;
}

/** What each area's decisions are made with. */
export interface ProductRules extends Omit<ProductOptions, 'tableKey' | 'restored'> {
  readonly webhooks: WebhookReaders;
  readonly keyring: Keyring;
  readonly credentials: CredentialCache;
  readonly everyArea: EveryArea<AppState>;
}
