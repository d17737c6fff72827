// Any gateway for texts or calls that is called over HTTP, described by its tenant or by a recipe.

import { z } from 'zod';
import { isObject } from '../../../is-object.ts';
import type { ChannelId } from '../../channel-ids.ts';
import type { RelayConfig } from '../../port/open-relay.ts';
import type { RelayKind } from '../../port/relay-kind.ts';
import { gatewaySchema } from './config.ts';
import { gatewayRecipes, recipeChannel, recipeConfig } from './recipes/recipes.ts';

/** With the members of the recipe that it names, where it has none of its own. */
const configSchema = z.preprocess((config, context) => {
  if (typeof config !== 'object' || config === null || !('recipe' in config)) return config;
  const recipe = recipeConfig(String(config.recipe));
  if (recipe !== undefined) return { ...recipe, ...config };
  const message = `is unknown; there are ${Object.keys(gatewayRecipes).join(', ')}`;
  context.addIssue({ code: 'custom', path: ['recipe'], message });
  return z.NEVER;
}, gatewaySchema);

/** What a recipe does not say: it stays when a recipe is taken, anew or another one. */
const besidesRecipes = ['from', 'price', 'credentials'];

/** A change that names a recipe takes it as it is now; secrets are replaced one by one. */
function changed(known: RelayConfig, change: RelayConfig): RelayConfig {
  const isTaken = typeof change['recipe'] === 'string';
  const stays = Object.entries(known).filter(([name]) => !isTaken || besidesRecipes.includes(name));
  const config = { ...Object.fromEntries(stays), ...change };
  const [before, now] = [known['credentials'], change['credentials']];
  if (!isObject(before) || !isObject(now)) return config;
  const secrets = Object.entries({ ...before, ...now }).filter(([, secret]) => secret !== null);
  return { ...config, credentials: Object.fromEntries(secrets) };
}

/** A recipe for calls is no recipe for texts. */
function channelProblem({ recipe: name }: RelayConfig, channel: ChannelId) {
  const recipe = typeof name === 'string' ? gatewayRecipes[name] : undefined;
  if (recipe === undefined || recipeChannel(recipe) === channel) return undefined;
  const message = `is for relays of the channel ${recipeChannel(recipe)}`;
  return { field: 'config.recipe', message };
}

export const http = {
  label: 'HTTP gateway',
  channels: ['sms', 'voice'],
  configSchema,
  changed,
  channelProblem,
  secrets: ['credentials'],
  urls: { GATEWAY: null },
  events: {
    proof:
      'As the relay says: a token in the address, a header, a login, or an HMAC over the body or its fields.',
  },
} as const satisfies RelayKind;
