// What a person wants, as the tenant's server reads and sets it.

import { z } from 'zod';
import type { AudienceProtocol } from '../../../actors/people/audience/protocol.ts';
import { key, route } from '../../call/route.ts';
import { personNamed } from '../person-named.ts';
import {
  examplePreferences,
  preferenceChange,
  preferenceMembers,
  preferencesSchema,
  preferencesView,
} from '../preferences-shape.ts';
import { personParam } from './subscriber-view.ts';

const place = {
  path: '/v1/apps/:appId/subscribers/:id/preferences',
  tag: 'Topics',
  params: { id: personParam },
} as const;

export const readPreferences = route({
  method: 'GET',
  ...place,
  summary: "Read a subscriber's preferences",
  access: key('read'),
  reads: ['subscriber', 'topic', 'suppression'],
  responses: { 200: { description: 'What the person wants.', schema: preferencesSchema } },
  async handle(call) {
    const ref = personNamed(call.param('id'));
    const found = await call.to<AudienceProtocol>(call.app()).ask('preferences.read', { ref });
    return { status: 200, body: preferencesView(found) };
  },
});

export const setPreferences = route({
  method: 'PUT',
  ...place,
  summary: "Set a subscriber's preferences",
  description:
    'Takes any part of the preferences; fields and topics you omit keep their value. A choice `in` that comes with an API key counts as confirmed, also in a topic with a double opt-in. A change is an event `preferences_changed` of the person.',
  access: key('write'),
  changes: ['subscriber', 'topic', 'event'],
  body: z.object(preferenceMembers).meta({ examples: [examplePreferences] }),
  responses: { 200: { description: 'The preferences now.', schema: preferencesSchema } },
  async handle(call) {
    const ref = personNamed(call.param('id'));
    const change = preferenceChange(call.body);
    const set = await call.to<AudienceProtocol>(call.app()).ask('preferences.set', { ref, change });
    return { status: 200, body: preferencesView(set) };
  },
});
