// How voice talks to the carrier. A preview shows the form without the sender, which is in the
// credential, and without the callback, which needs a send.

import { asFields } from '../carrier/form.ts';
import { previewOf } from '../port/preview.ts';
import type { Provider } from '../port/provider.ts';
import { voiceMessage } from './message.ts';

export const voiceProvider = {
  preview: previewOf((attempt, number) => asFields(voiceMessage(attempt, number))),
  adapter: async () => (await import('./adapter.ts')).createVoice,
} as const satisfies Provider;
