// How RCS speaks with its provider.

import { previewOf } from '../preview.ts';
import type { Provider } from '../provider.ts';
import { rcsMessage } from './message.ts';

export const rcsProvider = {
  preview: previewOf((attempt, _, left) => rcsMessage(attempt, left)),
  adapter: async () => (await import('./adapter.ts')).createRcs,
} as const satisfies Provider;
