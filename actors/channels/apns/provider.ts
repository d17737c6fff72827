// How the channel talks to APNs.

import { previewOf } from '../port/preview.ts';
import type { Provider } from '../port/provider.ts';
import { apnsMessage } from './message.ts';

export const apnsProvider = {
  // A preview does not show headers, and the bundle id is in one.
  preview: previewOf((attempt, _, left, nowMs) => apnsMessage(attempt, 'sandbox', left, nowMs)),
  adapter: async () => (await import('./adapter.ts')).createApns,
} as const satisfies Provider;
