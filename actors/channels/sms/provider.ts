// How sms speaks with the carrier. A preview shows the carrier's form without the sender, which the
// credential knows, and the callback, which is a send's.

import { asFields } from '../carrier/form.ts';
import { previewOf } from '../preview.ts';
import type { Provider } from '../provider.ts';
import { smsMessage } from './message.ts';

export const smsProvider = {
  preview: previewOf((attempt, number, left) => asFields(smsMessage(attempt, number, left))),
  adapter: async () => (await import('./adapter.ts')).createSms,
} as const satisfies Provider;
