// A channel's `provider.ts`: how the channel talks to its provider. Its pure parts load at start,
// the adapter when a dispatch thread needs it.

import type { AdapterFactory } from './adapter.ts';
import type { WebhookReader } from './callback-item.ts';
import type { Preview } from './preview.ts';

export interface Provider {
  readonly preview: Preview;
  readonly adapter: () => Promise<AdapterFactory>;
  readonly webhook?: WebhookReader;
}
