// Any gateway for texts that is called over HTTP, described by its tenant or by a recipe.

import { z } from 'zod';
import type { RelayKind } from '../../port/relay-kind.ts';
import { gatewaySchema } from './config.ts';
import { gatewayRecipes, recipeConfig } from './recipes/recipes.ts';

/** With the members of the recipe that it names, where it has none of its own. */
const configSchema = z.preprocess((config, context) => {
  if (typeof config !== 'object' || config === null || !('recipe' in config)) return config;
  const recipe = recipeConfig(String(config.recipe));
  if (recipe !== undefined) return { ...recipe, ...config };
  const message = `is unknown; there are ${Object.keys(gatewayRecipes).join(', ')}`;
  context.addIssue({ code: 'custom', path: ['recipe'], message });
  return z.NEVER;
}, gatewaySchema);

export const http = {
  label: 'HTTP gateway',
  channels: ['sms'],
  configSchema,
  secrets: ['credentials'],
  urls: { GATEWAY: null },
  events: {
    proof:
      'As the relay says: a token in the address, a header, a login, or an HMAC over the body or its fields.',
  },
} as const satisfies RelayKind;
