// The recipes for gateways: which there are, and what a tenant enters for each.

import { z } from 'zod';
import {
  gatewayRecipes,
  recipeChannel,
} from '../../../actors/channels/relays/gateway/recipes/recipes.ts';
import { pageOf } from '../../call/answer/page.ts';
import { key, route } from '../../call/route.ts';
import { countedPage, pageQuery } from '../../call/schemas/schemas.ts';

const recipeSchema = z
  .object({
    recipe: z.string().describe('For `recipe` of the configuration.'),
    name: z.string(),
    channel: z.enum(['sms', 'voice']).describe('The channel of the relays that the recipe is for.'),
    countries: z
      .array(z.string())
      .nullable()
      .describe('Where it delivers, as ISO 3166 codes; `null` for most countries.'),
    source: z.string().describe('The document of the gateway that the recipe follows.'),
    setup: z.string().nullable().describe('What else to enter here or at the gateway.'),
    credentials: z
      .record(z.string(), z.string())
      .describe('What to enter in `credentials`, by name.'),
  })
  .meta({
    id: 'RelayRecipe',
    examples: [
      {
        recipe: 'zenziva',
        name: 'Zenziva',
        channel: 'sms',
        countries: ['ID'],
        source: 'https://www.zenziva.id/',
        setup: null,
        credentials: { userKey: 'userkey', passKey: 'passkey' },
      },
    ],
  });

export const listRelayRecipes = route({
  method: 'GET',
  path: '/v1/relay-recipes',
  summary: 'List recipes for gateways of texts and calls',
  description:
    'The gateways that a relay of the kind `http` can be made for by name: `"config": {"recipe": "vonage", "credentials": {…}}`. Describe any other gateway yourself, with the fields of the configuration.',
  tag: 'Relays',
  access: key('admin'),
  reads: [],
  query: z.object(pageQuery),
  responses: { 200: { description: 'Recipes by name.', schema: countedPage(recipeSchema) } },
  async handle(call) {
    const items = Object.entries(gatewayRecipes).map(([recipe, one]) => ({
      ...{ recipe, name: one.label, channel: recipeChannel(one), source: one.source },
      countries: one.countries === undefined ? null : [...one.countries],
      setup: one.setup ?? null,
      credentials: { ...one.credentials },
    }));
    const isRecipe = (cursor: string) => Object.hasOwn(gatewayRecipes, cursor);
    return { status: 200, body: pageOf(items, call.query, ({ recipe }) => recipe, isRecipe) };
  },
});
