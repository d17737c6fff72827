// How the channel talks to Google's RCS API.

import { previewOf } from '../port/preview.ts';
import type { Provider } from '../port/provider.ts';
import { rcsMessage } from './message.ts';

export const rcsProvider = {
  preview: previewOf((attempt, _, left) => rcsMessage(attempt, left)),
  adapter: async () => (await import('./adapter.ts')).createRcs,
} as const satisfies Provider;
