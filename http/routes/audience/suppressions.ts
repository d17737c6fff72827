// The opt-outs of an app.

import { z } from 'zod';
import { identityClasses } from '../../../actors/channels/catalog.ts';
import type { AudienceProtocol } from '../../../actors/people/audience/protocol.ts';
import { notACursor } from '../../call/answer/page.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { channelSchema, countedPage, pageQuery } from '../../call/schemas/schemas.ts';
import {
  addressQuery,
  suppressionBody,
  suppressionSchema,
  suppressionView,
} from './suppression-view.ts';

/**
 * Records an opt-out. After the response nothing leaves to this address: on any lane, or on the
 * marketing lane alone.
 */
export const addSuppression = route({
  method: 'POST',
  path: '/v1/apps/:appId/suppressions',
  summary: 'Record an opt-out',
  description:
    'Suppresses the address on every channel of its identity: for all sends, or with `scope: marketing` for campaigns and journeys alone. If the address is already suppressed, the first record is kept. One of scope `all` replaces one of scope `marketing`, never the reverse; to narrow an opt-out, remove it first.',
  tag: 'Suppressions',
  access: key('write'),
  changes: ['suppression'],
  body: suppressionBody,
  responses: { 201: { description: 'The opt-out.', schema: suppressionSchema } },
  async handle(call) {
    const { channel, address, reason, scope } = call.body;
    const narrow = scope === 'marketing' ? scope : undefined;
    const row = await call
      .to<AudienceProtocol>(call.app())
      .ask(
        'suppression.add',
        present({ channel, address, reason, source: 'api' as const, scope: narrow }),
      );
    return { status: 201, body: suppressionView(row) };
  },
});

/**
 * Lists the opt-outs of an app. The actor's cursor is a plain address, so it is encoded: addresses
 * do not belong in proxy logs.
 */
export const listSuppressions = route({
  method: 'GET',
  path: '/v1/apps/:appId/suppressions',
  summary: 'List opt-outs',
  description:
    'With `channel` or `q`, `total` is `null` in an app with more than 50,000 opt-outs: there, the matches of a filter are not counted.',
  tag: 'Suppressions',
  access: key('read'),
  reads: ['suppression'],
  query: z.object({
    channel: channelSchema.optional().describe('Only opt-outs that apply to this channel.'),
    address: addressQuery
      .optional()
      .describe('Only the opt-outs of this address, on every channel unless `channel` names one.'),
    q: addressQuery
      .optional()
      .describe(
        'Only opt-outs of addresses that begin with this text, on every channel. Emails in any case, phone numbers in any form, such as `0812` if the app has a `defaultCountry`.',
      ),
    ...pageQuery,
  }),
  responses: {
    200: {
      description: 'Opt-outs, ordered by identity.',
      schema: countedPage(suppressionSchema),
    },
  },
  async handle(call) {
    const { channel, address, q, limit, cursor } = call.query;
    const from = cursor === undefined ? undefined : opened(cursor);
    const { items, nextCursor, total } = await call
      .to<AudienceProtocol>(call.app())
      .ask('suppression.list', present({ channel, address, q, limit, cursor: from }));
    const body = {
      items: items.map(suppressionView),
      nextCursor: nextCursor === null ? null : Buffer.from(nextCursor).toString('base64url'),
      total,
    };
    return { status: 200, body };
  },
});

function opened(cursor: string): string {
  const key = Buffer.from(cursor, 'base64url').toString();
  const identity = identityClasses.find((known) => key.startsWith(`${known}:`));
  // Longer than any class and address: not a key of the store.
  if (identity === undefined || key.length > 400) throw notACursor();
  return key;
}

export const deleteSuppression = route({
  method: 'DELETE',
  path: '/v1/apps/:appId/suppressions',
  summary: 'Remove an opt-out',
  description: 'Name any channel of the identity; the opt-out is removed on all of them.',
  tag: 'Suppressions',
  access: key('write'),
  changes: ['suppression'],
  edits: 'suppression.remove',
  query: z.object({ channel: channelSchema, address: addressQuery }),
  responses: { 204: { description: 'Lifted.' } },
  async handle(call) {
    const { channel, address } = call.query;
    await call.to<AudienceProtocol>(call.app()).ask('suppression.remove', { channel, address });
    return { status: 204 };
  },
});
