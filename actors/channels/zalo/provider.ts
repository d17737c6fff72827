// How the channel talks to Zalo.

import { previewOf } from '../port/preview.ts';
import type { Provider } from '../port/provider.ts';
import { zaloWebhook } from './callbacks.ts';
import { zaloMessage } from './message.ts';

export const zaloProvider = {
  preview: previewOf(zaloMessage),
  adapter: async () => (await import('./adapter.ts')).createZalo,
  webhook: zaloWebhook,
} as const satisfies Provider;
