// Creates a journey, not yet live.

import { limits } from '../../../actors/limits.ts';
import type { JourneysProtocol } from '../../../actors/programs/journeys/protocol.ts';
import { key, route } from '../../call/route.ts';
import { fieldWarningsOf } from '../field-warnings.ts';
import { needsRead } from '../message-templates/named-template.ts';
import {
  journeyBody,
  journeyInput,
  journeySchema,
  journeyView,
  narrowingMembers,
} from './journey-shape.ts';
import { namesTemplate } from './step-templates.ts';

export const createJourney = route({
  method: 'POST',
  path: '/v1/apps/:appId/journeys',
  summary: 'Create a journey',
  description: `The journey starts inactive; nobody is enrolled until \`PATCH\` with \`active: true\`. Give exactly one of \`triggerEvent\` and \`triggerSegmentId\`. At most ${limits.journeysMax.toLocaleString('en')} in an app, archived ones included.`,
  tag: 'Journeys',
  access: key('write'),
  changes: ['journey'],
  lane: 'standard',
  body: journeyBody,
  creates: { kind: 'journey.create', prefix: 'jrn', read: '/v1/apps/:appId/journeys/:id' },
  responses: { 201: { description: 'The journey, not active yet.', schema: journeySchema } },
  refusals: [404, 409],
  async handle(call) {
    if (namesTemplate(call.body.steps)) needsRead(call);
    const made = await call.to<JourneysProtocol>(call.app()).ask('journey.create', {
      input: journeyInput(call.body),
      ...fieldWarningsOf(call, narrowingMembers),
    });
    return { status: 201, body: journeyView(made) };
  },
});
