// How voice speaks with the carrier. A preview shows the carrier's form without the sender, which
// the credential knows, and the callback, which is a send's.

import { asFields } from '../carrier/form.ts';
import { previewOf } from '../preview.ts';
import type { Provider } from '../provider.ts';
import { voiceMessage } from './message.ts';

export const voiceProvider = {
  preview: previewOf((attempt, number) => asFields(voiceMessage(attempt, number))),
  adapter: async () => (await import('./adapter.ts')).createVoice,
} as const satisfies Provider;
