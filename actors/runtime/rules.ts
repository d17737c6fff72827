// The operator's settings for the decisions and the pump of a partition.

import type { Bytes } from '../../engine/base/brand.ts';
import type { HashKey } from '../../engine/base/hash.ts';
import type { EveryArea } from '../area.ts';
import type { WebhookReaders } from '../channels/port/callback-item.ts';
import type { EventMeta } from '../integrations/webhooks/write.ts';
import type { Keyring } from '../people/identity/keyring.ts';
import type { Sealer } from '../sealer.ts';
import type { CredentialCache, DispatchPlan } from '../sending/outbox/pump.ts';
import type { WaveShares } from '../sending/outbox/wave-shares.ts';
import type { UndoneChanges } from './restore-changes.ts';
import type { Restored } from './restored.ts';
import type { AppState } from './state.ts';

export interface ProductOptions {
  readonly sealer: Sealer;
  readonly plan: DispatchPlan;
  readonly allowHttpEndpoints: boolean;
  /** Storage quota of an org that is made; absent for none. */
  readonly newOrgQuotaBytes?: Bytes;
  /** See `ClientsRules`. */
  readonly clientsShare?: number;
  /** This process's secret for hash tables with client strings as keys. */
  readonly tableKey: HashKey;
  /** The store's last restore; absent if there was none. */
  readonly restored?: Restored;
}

export interface ProductRules extends Omit<ProductOptions, 'tableKey'> {
  readonly webhooks: WebhookReaders;
  readonly keyring: Keyring;
  readonly credentials: CredentialCache;
  readonly shares: WaveShares;
  readonly everyArea: EveryArea<AppState>;
  readonly eventMeta: EventMeta;
  readonly undone: UndoneChanges;
}
