// How the channel talks to WhatsApp.

import { previewOf } from '../port/preview.ts';
import type { Provider } from '../port/provider.ts';
import { whatsappWebhook } from './callbacks.ts';
import { whatsappMessage } from './message.ts';

export const whatsappProvider = {
  preview: previewOf(whatsappMessage),
  adapter: async () => (await import('./adapter.ts')).createWhatsApp,
  webhook: whatsappWebhook,
} as const satisfies Provider;
