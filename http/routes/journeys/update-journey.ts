// Changes a journey, and switches it on and off. These need different scopes, because going live
// sends messages; a call that does both needs both.

import { fault } from '../../../actors/faults.ts';
import type { JourneysProtocol } from '../../../actors/programs/journeys/protocol.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { key, route } from '../../call/route.ts';
import { fieldWarningsOf } from '../field-warnings.ts';
import { needsRead } from '../message-templates/named-template.ts';
import {
  journeyChange,
  journeyPatch,
  journeySchema,
  journeyView,
  narrowingMembers,
} from './journey-shape.ts';
import { namesTemplate } from './step-templates.ts';

export const updateJourney = route({
  method: 'PATCH',
  path: '/v1/apps/:appId/journeys/:id',
  summary: 'Update, activate or pause a journey',
  description:
    "Fields you send are replaced as a whole; `null` removes a field. `active` needs the scope `send`, everything else `write`. The steps and the trigger of a live journey are frozen: changing them is a 409. Activating copies the messages, so later edits don't affect people in flight, and enrolls people from then on. After a pause, nothing more of the journey is sent: waiting sends end as `suppressed` with the reason `journey_off`, and people in flight exit at their next wake, even if the journey is activated again first. `active: true` with `replaces` activates this journey and pauses that one at the same time, both or neither: every event starts exactly one of the two, and both have the same `updatedAt`. People in flight in the old one exit as after any pause, and with `reentry: once` anyone who was ever enrolled there is not enrolled here. People who still waited to be enrolled there are enrolled here, if both have the same trigger. Repeating the call changes nothing more. An archived journey is a 409. After a restore without resending, `active: true` on a live journey releases the people it holds.",
  tag: 'Journeys',
  access: key('write', 'send'),
  changes: ['journey', 'enrollment'],
  lane: 'standard',
  edits: 'journey.update',
  params: { id: 'Journey id.' },
  body: journeyPatch,
  responses: { 200: { description: 'The updated journey.', schema: journeySchema } },
  refusals: [404, 409],
  async handle(call) {
    const { active, enrollExisting, replaces, confirmWarnings, ...chosen } = call.body;
    const change = journeyChange(chosen);
    const isSwitch = active != null || enrollExisting != null || replaces != null;
    const isChange = Object.keys(change.input).length + change.removed.length > 0;
    if (isSwitch) needs('send', 'active', call.grant?.scopes);
    if (isChange || !isSwitch) needs('write', 'every field except active', call.grant?.scopes);
    if (namesTemplate(call.body.steps)) needsRead(call);
    const journey = await call.to<JourneysProtocol>(call.app()).ask('journey.update', {
      id: call.param('id'),
      change,
      ...fieldWarningsOf(call, narrowingMembers),
      ...(active == null ? {} : { active }),
      ...(enrollExisting == null ? {} : { enrollExisting }),
      ...(replaces == null ? {} : { replaces }),
      ...(confirmWarnings == null ? {} : { confirmWarnings }),
    });
    return { status: 200, body: journeyView(journey) };
  },
});

function needs(scope: 'send' | 'write', what: string, has: readonly string[] = []): void {
  if (has.includes(scope)) return;
  const have = has.join(', ') || 'none';
  throw new FaultError(
    fault('forbidden', `this key lacks the scope ${scope}, which ${what} requires; it has ${have}`),
  );
}
