// How sms talks to the carrier. A preview shows the form without the sender, which is in the
// credential, and without the callback, which needs a send.

import { asFields } from '../carrier/form.ts';
import { previewOf } from '../port/preview.ts';
import type { Provider } from '../port/provider.ts';
import { smsMessage } from './message.ts';

export const smsProvider = {
  preview: previewOf((attempt, number, left) => asFields(smsMessage(attempt, number, left))),
  adapter: async () => (await import('./adapter.ts')).createSms,
} as const satisfies Provider;
