// How the channel talks to Viber.

import { previewOf } from '../port/preview.ts';
import type { Provider } from '../port/provider.ts';
import { viberWebhook } from './callbacks.ts';
import { viberMessage } from './message.ts';

export const viberProvider = {
  // Without the sender's name, which is in the credential.
  preview: previewOf((attempt, person) => viberMessage(attempt, person)),
  adapter: async () => (await import('./adapter.ts')).createViber,
  webhook: viberWebhook,
} as const satisfies Provider;
