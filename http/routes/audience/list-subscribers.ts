// Lists the people of an app.

import { z } from 'zod';
import type { SegmentsProtocol } from '../../../actors/audiences/segments/protocol.ts';
import type { AudienceProtocol } from '../../../actors/people/audience/protocol.ts';
import { FaultError, fieldFault } from '../../../engine/base/fault.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import {
  channelSchema,
  countedPage,
  externalUserIdSchema,
  listQuery,
  segmentIdSchema,
} from '../../call/schemas/schemas.ts';
import { shownSubscriberView, subscriberSchema } from './subscriber-view.ts';

/** An unencoded `+` arrives as a space. */
const addressText = z
  .string()
  .min(1)
  .max(1024)
  .overwrite((text) => (/^ \d/.test(text) ? `+${text.slice(1)}` : text));

/** People have no names. */
const { q: _named, ...unnamed } = listQuery;

export const listSubscribers = route({
  method: 'GET',
  path: '/v1/apps/:appId/subscribers',
  summary: 'List subscribers',
  tag: 'Subscribers',
  access: key('read'),
  reads: ['subscriber', 'device'],
  query: z.object({
    externalUserId: externalUserIdSchema.optional(),
    segmentId: segmentIdSchema.optional().describe('Only current members of this segment.'),
    channel: channelSchema
      .optional()
      .describe(
        'Only people reachable on this channel: they have an enabled device that has not opted out.',
      ),
    address: addressText
      .optional()
      .describe(
        'Only people with a device of this address: an email address, a phone number (`+` written as `%2B`; without a country code if the app has a `defaultCountry`), a push token or a chat id.',
      ),
    phone: addressText
      .regex(/\p{Nd}/u, 'expected a phone number; write + as %2B')
      .optional()
      .describe('The same as `address`, for a phone number alone.'),
    tag: z
      .string()
      .regex(/^[^:]+:.+$/s, 'expected a tag and its value: plan:pro')
      .max(512)
      .optional()
      .describe(
        'Only people with this tag and value, such as `plan:pro`. `5` and `true` also match the number and the boolean.',
      ),
    ...unnamed,
  }),
  responses: {
    200: { description: 'Subscribers.', schema: countedPage(subscriberSchema) },
  },
  async handle(call) {
    const { segmentId, tag, phone, address = phone, ...rest } = call.query;
    if (phone !== undefined && address !== phone)
      throw new FaultError(fieldFault('phone', 'cannot be combined with address'));
    if (tag !== undefined && segmentId !== undefined)
      throw new FaultError(fieldFault('tag', 'cannot be combined with segmentId'));
    const isPhone = phone === undefined ? undefined : (true as const);
    const asked = present({ ...rest, address, isPhone });
    const filter = tag === undefined ? undefined : filterOfTag(tag);
    const among = filter === undefined ? segmentId && { segmentId } : { filter };
    const page = among
      ? await call
          .to<SegmentsProtocol>(call.app())
          .ask('segment.members', { asked: among, ...asked })
          .catch((error: unknown) => {
            throw tag === undefined ? error : ofTag(error);
          })
      : await call.to<AudienceProtocol>(call.app()).ask('subscriber.list', asked);
    return { status: 200, body: { ...page, items: page.items.map(shownSubscriberView) } };
  },
});

/** A fault of the filter that a tag stands for names the tag. */
function ofTag(error: unknown): unknown {
  if (!(error instanceof FaultError) || error.fault.field?.startsWith('filter') !== true)
    return error;
  return new FaultError(fieldFault('tag', 'is not a tag and its value, such as plan:pro'));
}

/** In every type that the text can mean. */
function filterOfTag(text: string): object {
  const at = text.indexOf(':');
  const tag = text.slice(0, at);
  const value = text.slice(at + 1);
  const values: (string | number | boolean)[] = [value];
  if (value === 'true' || value === 'false') values.push(value === 'true');
  else if (String(Number(value)) === value && Number.isFinite(Number(value)))
    values.push(Number(value));
  return { any: values.map((eq) => ({ tag, eq })) };
}
