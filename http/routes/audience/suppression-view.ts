// The wire shape of an opt-out. It covers its whole identity: all five channels of a phone number.

import { z } from 'zod';
import { channelsOf, identityClasses } from '../../../actors/channels/catalog.ts';
import { channelIds } from '../../../actors/channels/channel-ids.ts';
import { suppressionEtag } from '../../../actors/people/audience/person-etag.ts';
import type { AudienceProtocol } from '../../../actors/people/audience/protocol.ts';
import { optOutScopes } from '../../../actors/tenants/accounts/records.ts';
import { exampleEtag, exampleInstant } from '../../call/schemas/example-ids.ts';
import { channelSchema, etagSchema, instant, instantSchema } from '../../call/schemas/schemas.ts';

type SuppressionRow = AudienceProtocol['suppression.add']['reply'];

const addressShape = z.string().trim().min(1).max(320);

/** In a query, where an unencoded `+` of a phone number arrives as a space. */
export const addressQuery = z
  .string()
  .overwrite((text) => (text.startsWith(' ') ? `+${text.slice(1)}` : text))
  .pipe(addressShape);

export const suppressionSource = z
  .enum(['api', 'callback', 'unsubscribe', 'bounce'])
  .describe(
    '`callback`: the person, through a provider, for example by STOP. `unsubscribe`: the link of an email. `bounce`: a complaint.',
  );

export const suppressionSchema = z
  .object({
    identity: z.enum(identityClasses).describe('The kind of address.'),
    channels: z.array(z.enum(channelIds)).describe('Every channel the opt-out applies to.'),
    address: z.string().describe('Normalized.'),
    scope: z
      .enum(optOutScopes)
      .describe(
        '`all`: nothing is sent. `marketing`: campaigns and journeys are not sent, transactional messages are. It comes from this API, from a preference or a button about promotions at a provider, and from the unsubscribe link of a marketing email if the app sets `unsubscribeScope`.',
      ),
    reason: z
      .string()
      .nullable()
      .describe(
        'As given, or a code such as `stop`, `stop_marketing`, `preference`, `unfollowed`.',
      ),
    source: suppressionSource,
    etag: etagSchema,
    createdAt: instantSchema.describe('When the opt-out started.'),
  })
  .meta({
    id: 'Suppression',
    examples: [
      {
        identity: 'phone',
        channels: channelsOf('phone'),
        address: '+14155550123',
        scope: 'all',
        reason: 'asked support to stop',
        source: 'api',
        etag: exampleEtag,
        createdAt: exampleInstant(),
      },
    ],
  });

export const suppressionBody = z
  .object({
    channel: channelSchema.describe('Any channel of the identity.'),
    address: addressShape,
    scope: z
      .enum(optOutScopes)
      .optional()
      .describe('Default `all`. `marketing`: transactional messages are still sent.'),
    reason: z
      .string()
      .trim()
      .min(1)
      .max(500)
      .optional()
      .describe('A free-text note; stored unchanged.'),
  })
  .meta({
    examples: [
      { channel: 'sms', address: '+14155550123', reason: 'asked support to stop' },
      { channel: 'whatsapp', address: '+14155550123', scope: 'marketing' },
    ],
  });

export function suppressionView(row: SuppressionRow) {
  const { identity, address, scope = 'all', reason, source, createdMs } = row;
  const known = identityClasses.find((one) => one === identity);
  return {
    identity,
    channels: known === undefined ? [] : channelsOf(known),
    address,
    scope,
    reason: reason ?? null,
    source,
    etag: suppressionEtag(row),
    createdAt: instant(createdMs),
  };
}
