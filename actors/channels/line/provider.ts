// How the channel talks to LINE.

import { previewOf } from '../port/preview.ts';
import type { Provider } from '../port/provider.ts';
import { lineWebhook } from './callbacks.ts';
import { lineMessage } from './message.ts';

export const lineProvider = {
  preview: previewOf(lineMessage),
  adapter: async () => (await import('./adapter.ts')).createLine,
  webhook: lineWebhook,
} as const satisfies Provider;
