// Marks messages of the client's inbox as read or archived.

import { z } from 'zod';
import type { InAppProtocol } from '../../../actors/audiences/inapp/protocol.ts';
import { limits } from '../../../actors/limits.ts';
import type { IdentityProtocol } from '../../../actors/people/identity/protocol.ts';
import { FaultError, fieldFault } from '../../../engine/base/fault.ts';
import { route } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import {
  appIdSchema,
  appNamed,
  clientTokenSchema,
  exampleClientToken,
  sdkCall,
  sdkRefusals,
} from './sdk-shape.ts';

const ids = z.array(z.string().min(1).max(64)).max(limits.inAppMessagesMax);
const call = { appId: exampleIds.app, clientToken: exampleClientToken };

const inboxBody = z
  .object({
    appId: appIdSchema,
    clientToken: clientTokenSchema,
    read: z
      .union([z.literal('all'), ids])
      .nullish()
      .describe('Ids of in-app messages, or `all` that the person would be shown now.'),
    archive: ids
      .nullish()
      .describe(
        'Ids of in-app messages, which leave the inbox. One that was not read counts as unread no more, but not as read either.',
      ),
  })
  .meta({
    examples: [
      { ...call, read: [exampleIds.inApp] },
      { ...call, read: 'all' },
      { ...call, archive: [exampleIds.inApp] },
    ],
  });

export const markInbox = route({
  method: 'POST',
  path: '/v1/sdk/inbox',
  summary: 'Mark inbox messages as read or archived',
  description:
    'Each message that was not read or archived before becomes an event `inbox_read` or `inbox_archived` of the person; a call that is made again changes nothing. `read` and `archive` may be given together.',
  ...sdkCall,
  changes: ['in-app-message', 'event'],
  body: inboxBody,
  responses: {
    200: {
      description: 'Marked.',
      schema: z
        .object({
          unread: z.int().describe('Unread messages in the whole inbox now.'),
          unknown: z
            .array(z.string())
            .describe(
              'Ids that no message of the inbox has, for example because it was deleted. All others were marked.',
            ),
        })
        .meta({ examples: [{ unread: 2, unknown: [] }] }),
    },
  },
  refusals: [...sdkRefusals, 400, 401, 507],
  async handle(call) {
    const { appId, clientToken, read, archive } = call.body;
    if (read == null && archive == null)
      throw new FaultError(fieldFault('read', 'is missing; send read, archive or both'));
    const person = await appNamed<IdentityProtocol>(call, appId).ask('sdk.person', { clientToken });
    const body = await call.to<InAppProtocol>(call.app(appId)).ask(
      'inapp.mark',
      {
        ref: { id: person.subscriberId },
        read: read ?? [],
        archive: archive ?? [],
        isProven: person.isProven,
      },
      { lane: 'bulk' },
    );
    return { status: 200, body };
  },
});
