// How the channel talks to APNs.

import { previewOf } from '../preview.ts';
import type { Provider } from '../provider.ts';
import { apnsMessage } from './message.ts';

export const apnsProvider = {
  // The bundle id is in a header, which a preview does not show.
  preview: previewOf((attempt, _, left, nowMs) => apnsMessage(attempt, 'sandbox', left, nowMs)),
  adapter: async () => (await import('./adapter.ts')).createApns,
} as const satisfies Provider;
