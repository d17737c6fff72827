// What the client's person wants. A choice of a topic with a double opt-in waits until the person
// confirms it: a client token does not prove whose address it is.

import { z } from 'zod';
import type { IdentityProtocol } from '../../../actors/people/identity/protocol.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { bearer } from '../../call/admission/authenticate.ts';
import { route } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import {
  examplePreferences,
  preferenceChange,
  preferenceMembers,
  preferencesSchema,
  preferencesView,
} from '../preferences-shape.ts';
import {
  appIdSchema,
  appNamed,
  clientTokenSchema,
  exampleClientToken,
  noClientToken,
  sdkCall,
  sdkRefusals,
} from './sdk-shape.ts';

export const readOwnPreferences = route({
  method: 'GET',
  path: '/v1/sdk/preferences',
  summary: "Read the client's preferences",
  description: 'Send the client token in `Authorization: Bearer`.',
  ...sdkCall,
  reads: ['subscriber', 'topic', 'suppression'],
  clientToken: true,
  query: z.object({ appId: appIdSchema }),
  responses: { 200: { description: 'What the person wants.', schema: preferencesSchema } },
  refusals: [...sdkRefusals, 400, 401],
  async handle(call) {
    const clientToken = bearer(call.header('authorization') ?? '');
    if (clientToken === '') throw new FaultError(noClientToken);
    const identity = appNamed<IdentityProtocol>(call, call.query.appId);
    const found = await identity.ask('sdk.preferences', { clientToken });
    return { status: 200, body: preferencesView(found) };
  },
});

export const setOwnPreferences = route({
  method: 'PUT',
  path: '/v1/sdk/preferences',
  summary: "Set the client's preferences",
  description:
    'Takes any part of the preferences; fields and topics you omit keep their value. `in` for a topic with a double opt-in becomes `pending`, unless the person has confirmed it before.',
  ...sdkCall,
  changes: ['subscriber', 'topic', 'event'],
  body: z
    .object({ appId: appIdSchema, clientToken: clientTokenSchema, ...preferenceMembers })
    .meta({
      examples: [{ appId: exampleIds.app, clientToken: exampleClientToken, ...examplePreferences }],
    }),
  responses: { 200: { description: 'The preferences now.', schema: preferencesSchema } },
  refusals: [...sdkRefusals, 401, 507],
  async handle(call) {
    const { appId, clientToken } = call.body;
    const change = preferenceChange(call.body);
    const identity = appNamed<IdentityProtocol>(call, appId);
    const set = await identity.ask('sdk.set_preferences', { clientToken, change });
    return { status: 200, body: preferencesView(set) };
  },
});
