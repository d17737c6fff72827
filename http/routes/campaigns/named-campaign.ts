// Finds a campaign's app: the path's, else the one in the campaign's id. Then an unknown or foreign
// app is refused like an unknown campaign, so as not to reveal which is missing.

import { notFound } from '../../../actors/faults.ts';
import type { CampaignsProtocol } from '../../../actors/programs/campaigns/protocol.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { parseId } from '../../../engine/base/id.ts';
import type { Actor, Call } from '../../call/call.ts';

/** Who answers for the campaign of a path with or without `:appId`. */
export function campaignActor(call: Call<unknown, unknown>): Actor<CampaignsProtocol> {
  if (call.params['appId'] !== undefined) return call.to<CampaignsProtocol>(call.app());
  const actor = call.to<CampaignsProtocol>(appOfCampaign(call, call.param('id')));
  return { ask: (kind, body, options) => byItsId(() => actor.ask(kind, body, options)) };
}

/** The app in a campaign's id, if this key may see it. Throws a fault. */
export function appOfCampaign({ grant }: Call<unknown, unknown>, id: string): Ordinal {
  const ordinal = parseId('cmp', id)?.ordinal ?? 0;
  const only = grant?.app ?? null;
  if (ordinal === 0 || (only !== null && only !== ordinal)) throw noCampaign();
  return ordinal;
}

/** Asks an app that only a campaign's id named; app refusals become campaign refusals. */
async function byItsId<R>(ask: () => Promise<R>): Promise<R> {
  try {
    return await ask();
  } catch (error) {
    const isApp = error instanceof FaultError && error.fault.message === notFound('app').message;
    throw isApp ? noCampaign() : error;
  }
}

function noCampaign(): FaultError {
  return new FaultError(notFound('campaign'));
}
