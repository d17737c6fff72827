// How the channel talks to Telegram.

import { previewOf } from '../port/preview.ts';
import type { Provider } from '../port/provider.ts';
import { telegramWebhook } from './callbacks.ts';
import { telegramMessage } from './message.ts';

export const telegramProvider = {
  preview: previewOf(telegramMessage),
  adapter: async () => (await import('./adapter.ts')).createTelegram,
  webhook: telegramWebhook,
} as const satisfies Provider;
