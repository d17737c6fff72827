// What shards and dispatchers say to each other beside grants and reports.

import type { ProviderConfig } from '../channels/provider-config.ts';

/** What a dispatch thread is started with. */
export interface DispatchData {
  readonly index: number;
  readonly providers: ProviderConfig;
  readonly allowPrivateNetworks: boolean;
  readonly logLevel: string;
}
