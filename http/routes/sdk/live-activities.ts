// The Live Activities of the client's person: an SDK registers one, and tells its new push tokens.

import { z } from 'zod';
import { notFound } from '../../../actors/faults.ts';
import type { LiveActivitiesProtocol } from '../../../actors/sending/live-activities/protocol.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { parseId } from '../../../engine/base/id.ts';
import { present } from '../../call/answer/present.ts';
import { route } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import {
  activityTypeSchema,
  attributesSchema,
  examplePushToken,
  pushTokenSchema,
  stateSchema,
} from '../live-activities/live-activity-shape.ts';
import {
  appIdSchema,
  appNamed,
  clientTokenSchema,
  exampleClientToken,
  sdkCall,
  sdkRefusals,
} from './sdk-shape.ts';

const registerBody = z
  .object({
    appId: appIdSchema,
    clientToken: clientTokenSchema,
    activityType: activityTypeSchema,
    pushToken: pushTokenSchema,
    attributes: attributesSchema.nullish(),
    deviceId: z
      .string()
      .max(64)
      .nullish()
      .describe(
        "The person's device that shows it. Only needed if the app sends through FCM and the person has several phones. Default: the one registered last.",
      ),
  })
  .meta({
    examples: [
      {
        appId: exampleIds.app,
        clientToken: exampleClientToken,
        activityType: 'DeliveryAttributes',
        pushToken: examplePushToken,
        attributes: { order: '1042' },
      },
    ],
  });

export const registerLiveActivity = route({
  method: 'POST',
  path: '/v1/sdk/live-activities',
  summary: 'Register a Live Activity',
  description:
    'Call it with the first push token from ActivityKit, and send the returned id to your server, which uses it to update and end the activity. Registering the same token again returns the same id. Send a new token to `PUT /v1/sdk/live-activities/:id`.',
  ...sdkCall,
  changes: ['live-activity'],
  body: registerBody,
  responses: {
    201: {
      description: 'Registered and stored.',
      schema: z.object({ id: z.string() }).meta({ examples: [{ id: exampleIds.liveActivity }] }),
    },
  },
  refusals: [...sdkRefusals, 401, 507],
  async handle(call) {
    const { appId, clientToken, activityType, pushToken, attributes, deviceId } = call.body;
    const activity = {
      activityType,
      pushToken,
      ...present({ attributes: attributes ?? undefined, deviceId: deviceId ?? undefined }),
    };
    const { id } = await appNamed<LiveActivitiesProtocol>(call, appId).ask(
      'live_activity.register',
      { clientToken, activity },
    );
    return { status: 201, body: { id } };
  },
});

/**
 * Replaces the push token of a Live Activity. The id alone names the app; an unknown app and a
 * foreign activity get the same refusal.
 */
export const rotateLiveActivity = route({
  method: 'PUT',
  path: '/v1/sdk/live-activities/:id',
  summary: "Update a Live Activity's push token",
  description:
    'Call it when ActivityKit issues a new token. Pending updates go to the new token. An activity that was closed because its token was dead becomes active again; an ended one stays ended. Sending the dead token again is a 409.',
  ...sdkCall,
  changes: ['live-activity'],
  params: { id: 'Live Activity id.' },
  body: z
    .object({
      appId: appIdSchema
        .optional()
        .describe('Optional, because the id in the path already names the app.'),
      clientToken: clientTokenSchema,
      pushToken: pushTokenSchema,
    })
    .meta({ examples: [{ clientToken: exampleClientToken, pushToken: examplePushToken }] }),
  responses: {
    200: {
      description: 'Stored.',
      schema: z
        .object({ id: z.string(), state: stateSchema })
        .meta({ examples: [{ id: exampleIds.liveActivity, state: 'active' }] }),
    },
  },
  refusals: [...sdkRefusals, 401, 409, 507],
  async handle(call) {
    const id = call.param('id');
    const app = parseId('la', id)?.ordinal ?? 0;
    const { appId, clientToken, pushToken } = call.body;
    const isOther = appId !== undefined && parseId('app', appId)?.ordinal !== app;
    if (app === 0 || isOther) throw new FaultError(noActivity);
    const message = { id, clientToken, pushToken };
    try {
      const body = await call
        .to<LiveActivitiesProtocol>(app)
        .ask('live_activity.rotate', message, { lane: 'bulk' });
      return { status: 200, body };
    } catch (error) {
      const isApp = error instanceof FaultError && error.fault.message === notFound('app').message;
      throw isApp ? new FaultError(noActivity) : error;
    }
  },
});

const noActivity = notFound('live activity');
