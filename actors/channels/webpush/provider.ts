// How web push talks to the push services.

import type { Payload } from '../port/preview.ts';
import type { Provider } from '../port/provider.ts';
import { webPushMessage } from './message.ts';

export const webpushProvider = {
  preview(attempt) {
    const made = webPushMessage(attempt);
    return 'outcome' in made ? made : { payload: JSON.parse(made.plaintext.toString()) as Payload };
  },
  adapter: async () => (await import('./adapter.ts')).createWebPush,
} as const satisfies Provider;
