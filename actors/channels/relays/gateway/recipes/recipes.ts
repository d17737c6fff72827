// The recipes by name, one line each.

import { africastalking } from './africastalking.ts';
import { eightByEight } from './eight.ts';
import { esms } from './esms.ts';
import { infobip } from './infobip.ts';
import { infobipVoice } from './infobip-voice.ts';
import { messagebird } from './messagebird.ts';
import type { GatewayRecipe } from './recipe.ts';
import { speedsms } from './speedsms.ts';
import { vonage } from './vonage.ts';
import { zenziva } from './zenziva.ts';

export const gatewayRecipes: Readonly<Record<string, GatewayRecipe>> = {
  esms,
  speedsms,
  zenziva,
  '8x8': eightByEight,
  vonage,
  messagebird,
  infobip,
  africastalking,
  'infobip-voice': infobipVoice,
};

/** What a recipe's gateway sends. */
export function recipeChannel({ channel }: GatewayRecipe): 'sms' | 'voice' {
  return channel ?? 'sms';
}

/** The members of a recipe; `undefined` for no recipe. */
export function recipeConfig(name: string): GatewayRecipe['config'] | undefined {
  return Object.hasOwn(gatewayRecipes, name) ? gatewayRecipes[name]?.config : undefined;
}
