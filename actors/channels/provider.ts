// What a channel's `provider.ts` says: how it speaks with its provider. The pure parts are loaded
// with it; the adapter only when a dispatch thread needs it.

import type { AdapterFactory } from './adapter.ts';
import type { WebhookReader } from './callback-item.ts';
import type { Preview } from './preview.ts';

export interface Provider {
  readonly preview: Preview;
  /**
   * Loads the adapter: mail composing, HTTP and signing are a third of an idle process's memory.
   */
  readonly adapter: () => Promise<AdapterFactory>;
  /** Of a channel whose entry has a `webhook`. */
  readonly webhook?: WebhookReader;
}
