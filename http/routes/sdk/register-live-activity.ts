// Registers a Live Activity that the client has started.

import { z } from 'zod';
import type { LiveActivitiesProtocol } from '../../../actors/sending/live-activities/protocol.ts';
import { present } from '../../call/answer/present.ts';
import { route } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import {
  activityTypeSchema,
  attributesSchema,
  examplePushToken,
  pushTokenSchema,
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
