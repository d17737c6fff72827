// Changes a journey, and switches it on and off. What a reader would get wrong: the two need scopes
// of their own, because going live makes messages leave; a call that does both needs both.

import { fault } from '../../../actors/faults.ts';
import type { JourneysProtocol } from '../../../actors/programs/journeys/protocol.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { key, route } from '../../route.ts';
import { journeyChange, journeyPatch, journeySchema, journeyView } from './journey-shape.ts';

export const updateJourney = route({
  method: 'PATCH',
  path: '/v1/apps/:appId/journeys/:id',
  summary: 'Change a journey, or switch it on or off',
  description:
    'Members that are given replace, each wholesale; `null` removes one. `active` needs the scope `send`, everything else `write`. While a journey is live its steps and its trigger are frozen: 409. Going live copies what it sends, so that later changes of messages reach nobody who is under way, and takes whoever comes from then on. Paused, whoever is under way exits at their next wake, also if it goes live again before. `active: true` of one that is live lets go on whom a restore without resending holds.',
  tag: 'Journeys',
  access: key('write', 'send'),
  lane: 'standard',
  params: { id: 'Id of the journey.' },
  body: journeyPatch,
  responses: { 200: { description: 'The journey as it is now.', schema: journeySchema } },
  refusals: [404, 409],
  async handle(call) {
    const { active, enrollExisting, ...chosen } = call.body;
    const change = journeyChange(chosen);
    const isSwitch = active != null || enrollExisting != null;
    const isChange = Object.keys(change.input).length + change.removed.length > 0;
    if (isSwitch) needs('send', 'active', call.grant?.scopes);
    if (isChange || !isSwitch) needs('write', 'everything but active', call.grant?.scopes);
    const journey = await call.to<JourneysProtocol>(call.app()).ask('journey.update', {
      id: call.param('id'),
      change,
      ...(active == null ? {} : { active }),
      ...(enrollExisting == null ? {} : { enrollExisting }),
    });
    return { status: 200, body: journeyView(journey) };
  },
});

function needs(scope: 'send' | 'write', what: string, has: readonly string[] = []): void {
  if (has.includes(scope)) return;
  const have = has.join(', ') || 'none';
  throw new FaultError(
    fault('forbidden', `this key lacks the scope ${scope}, which ${what} needs; it has ${have}`),
  );
}
