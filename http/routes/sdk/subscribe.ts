// Signs an address up, for a client that need not be logged in. The answer is the same for every
// address: a stranger must not learn who is there.

import { z } from 'zod';
import { languageKey } from '../../../actors/channels/words/language-tag.ts';
import { limits } from '../../../actors/limits.ts';
import type { OptInProtocol, SignUp } from '../../../actors/sending/opt-in/protocol.ts';
import { FaultError, fieldFault } from '../../../engine/base/fault.ts';
import { parseId } from '../../../engine/base/id.ts';
import { withRoom } from '../../call/admission/held-room.ts';
import { present } from '../../call/answer/present.ts';
import type { Call } from '../../call/call.ts';
import { route } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import { channelSchema } from '../../call/schemas/schemas.ts';
import { tagsShape } from '../audience/subscriber-shape.ts';
import { appIdSchema, appNamed, clientTokenSchema, sdkCall, sdkRefusals } from './sdk-shape.ts';

const subscribeBody = z
  .object({
    appId: appIdSchema,
    clientToken: clientTokenSchema
      .nullish()
      .describe(
        'The address goes to this person if nobody has it. Without a token it goes to a new anonymous person.',
      ),
    channel: channelSchema.describe('`email`: other channels are registered without a mail.'),
    endpoint: z.string().max(320).describe('The email address.'),
    topics: z
      .array(z.string().max(limits.tagKeyCharsMax))
      .max(limits.optInTopicsMax)
      .optional()
      .describe('Keys of topics. One email asks for all of them.'),
    tags: tagsShape.optional(),
    language: z
      .string()
      .max(35)
      .refine((tag) => languageKey(tag) !== undefined, 'expected a language, such as en or pt-BR')
      .nullish()
      .describe('The language of the email and of its page.'),
  })
  .meta({
    examples: [
      {
        appId: exampleIds.app,
        channel: 'email',
        endpoint: 'ann@example.com',
        topics: ['news'],
        tags: { first_name: 'Ann' },
        language: 'de',
      },
    ],
  });

const takenSchema = z
  .object({
    confirmation: z
      .enum(['asked', 'none'])
      .describe(
        'Whether the topics, or without any the app, ask every address for a confirmation. It says nothing about this address.',
      ),
  })
  .meta({ examples: [{ confirmation: 'asked' }] });

export const subscribe = route({
  method: 'POST',
  path: '/v1/sdk/subscribe',
  summary: 'Sign an email address up',
  description:
    'Sends an email that asks whether the address wants what was signed up for. Until its owner confirms (`/confirm/…`, for 7 days), nothing else is sent to an address that was not known, and nothing of a person who has the address changes. The answer is the same for every address. An address gets at most one such email a day for one person, and three for all people together; none where the app, a bounce or a complaint has suppressed it. The email is the message template `double-opt-in` of the app (variables `confirm_url`, `topics`, `app_name`), or one of ours. A call without a client token counts as a new anonymous person for the limits per minute.',
  ...sdkCall,
  changes: ['subscriber', 'device', 'notification'],
  body: subscribeBody,
  responses: {
    202: { description: 'Taken.', schema: takenSchema },
  },
  refusals: [...sdkRefusals, 401, 507],
  async handle(call) {
    const { appId, clientToken, channel, endpoint, topics = [], tags = {}, language } = call.body;
    if (channel !== 'email')
      throw new FaultError(
        fieldFault(
          'channel',
          'only email addresses are confirmed by a mail; register others with POST /v1/sdk/register',
        ),
      );
    const cleared = Object.keys(tags).find((tag) => tags[tag] === null);
    if (cleared !== undefined)
      throw new FaultError(
        fieldFault(`tags.${cleared}`, 'expected a value: a sign-up removes none'),
      );
    const wish = {
      topics,
      tags,
      ...present({ language: language ?? undefined }),
    } as SignUp['wish'];
    const asks = await signUp(call, appId, {
      endpoint,
      wish,
      ...present({ clientToken: clientToken ?? undefined }),
    });
    return { status: 202, body: { confirmation: asks ? 'asked' : 'none' } };
  },
});

/** Holds room for a new person and new names under the caller's address, whether used or not. */
async function signUp(
  call: Call<unknown, unknown>,
  appId: string,
  asked: SignUp,
): Promise<boolean> {
  const app = parseId('app', appId)?.ordinal ?? 0; // an invalid id is refused by name below
  const isNew = asked.clientToken === undefined;
  const wanted = { names: Object.keys(asked.wish.tags).length, ...(isNew ? { people: 1 } : {}) };
  const optIns = appNamed<OptInProtocol>(call, appId);
  const { asks } = await withRoom(call, app, wanted, (room) =>
    optIns.ask('opt_in.sign_up', { signUp: asked, ...room }),
  );
  return asks;
}
