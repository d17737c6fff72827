// Texts that may be opt-outs, which a person decides about.

import { z } from 'zod';
import type { AudienceProtocol } from '../../../actors/people/audience/protocol.ts';
import { optOutScopes } from '../../../actors/tenants/accounts/records.ts';
import { FaultError, fieldFault } from '../../../engine/base/fault.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { countedPage, exampleOf, pageQuery } from '../../call/schemas/schemas.ts';
import { doubtfulSchema, doubtfulView } from './doubtful-view.ts';
import { suppressionSchema, suppressionView } from './suppression-view.ts';

export const listDoubtful = route({
  method: 'GET',
  path: '/v1/apps/:appId/suppressions/doubtful',
  summary: 'List what may be an opt-out',
  description:
    'Replies that may ask for an opt-out without being a keyword such as STOP: "please stop sending me these". A reply alone suppresses nothing; someone has to read it and decide. The list has the newest reply of each address, at most 1,000 in an app. A reply leaves the list without a decision when the person writes STOP or START, when the address is suppressed in another way, when the person is erased, and after 90 days.',
  tag: 'Suppressions',
  access: key('read'),
  reads: ['doubtful-opt-out'],
  query: z.object(pageQuery),
  responses: {
    200: { description: 'The replies, newest first.', schema: countedPage(doubtfulSchema) },
  },
  async handle(call) {
    const { items, nextCursor, total } = await call
      .to<AudienceProtocol>(call.app())
      .ask('doubtful_opt_out.list', present(call.query));
    return { status: 200, body: { items: items.map(doubtfulView), nextCursor, total } };
  },
});

const doubtfulBody = z
  .object({
    decision: z
      .enum(['opt_out', 'dismiss'])
      .describe('`opt_out`: suppress the address. `dismiss`: it was not an opt-out.'),
    scope: z
      .enum(optOutScopes)
      .optional()
      .describe(
        'The scope of an opt-out. Default `all`. `marketing`: transactional messages are still sent.',
      ),
  })
  .meta({
    examples: [
      { decision: 'opt_out' },
      { decision: 'opt_out', scope: 'marketing' },
      { decision: 'dismiss' },
    ],
  });

const decidedSchema = z
  .object({
    suppression: suppressionSchema.nullable().describe('`null` if the reply was dismissed.'),
  })
  .meta({ examples: [{ suppression: exampleOf(suppressionSchema) }] });

/** Decides about a text that may be an opt-out. An opt-out holds as soon as it is answered. */
export const decideDoubtful = route({
  method: 'POST',
  path: '/v1/apps/:appId/suppressions/doubtful/:id',
  summary: 'Decide about what may be an opt-out',
  description:
    "Opts the address out as `POST /v1/apps/:appId/suppressions` does, or dismisses the reply. An opt-out counts as the person's own: there is an event `unsubscribed`, and the campaign that the reply answers counts it. Either way it leaves the list. The answer is a 404 if the reply left the list before, for instance because the person wrote again: the newer reply has its own id.",
  tag: 'Suppressions',
  access: key('write'),
  changes: ['doubtful-opt-out', 'suppression'],
  params: { id: 'Doubtful opt-out id.' },
  body: doubtfulBody,
  responses: { 200: { description: 'Decided.', schema: decidedSchema } },
  async handle(call) {
    const { decision, scope } = call.body;
    if (decision === 'dismiss' && scope !== undefined)
      throw new FaultError(fieldFault('scope', 'only with the decision opt_out; omit it'));
    const narrow = scope === 'marketing' ? scope : undefined;
    const row = await call
      .to<AudienceProtocol>(call.app())
      .ask('doubtful_opt_out.decide', present({ id: call.param('id'), decision, scope: narrow }));
    return { status: 200, body: { suppression: row === null ? null : suppressionView(row) } };
  },
});
