// How the channel talks to FCM.

import { previewOf } from '../port/preview.ts';
import type { Provider } from '../port/provider.ts';
import { fcmMessage } from './message.ts';

export const fcmProvider = {
  preview: previewOf(fcmMessage),
  adapter: async () => (await import('./adapter.ts')).createFcm,
} as const satisfies Provider;
