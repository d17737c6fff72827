// Lists the texts that may be opt-outs and wait for a decision.

import { z } from 'zod';
import type { AudienceProtocol } from '../../../actors/people/audience/protocol.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { countedPage, pageQuery } from '../../call/schemas/schemas.ts';
import { doubtfulSchema, doubtfulView } from './doubtful-view.ts';

export const listDoubtful = route({
  method: 'GET',
  path: '/v1/apps/:appId/suppressions/doubtful',
  summary: 'List what may be an opt-out',
  description:
    'Replies that may ask for an opt-out without being a keyword such as STOP: "please stop sending me these". A reply alone suppresses nothing; someone has to read it and decide. The list has the newest reply of each address, at most 1,000 in an app. A reply leaves the list without a decision when the person writes STOP or START, when the address is suppressed in another way, when the person is erased, and after 90 days.',
  tag: 'Suppressions',
  access: key('read'),
  reads: ['doubtful-opt-out'],
  lane: 'standard',
  query: z.object(pageQuery),
  responses: {
    200: { description: 'The replies, newest first.', schema: countedPage(doubtfulSchema) },
  },
  refusals: [404],
  async handle(call) {
    const { items, nextCursor, total } = await call
      .to<AudienceProtocol>(call.app())
      .ask('doubtful_opt_out.list', present(call.query));
    return { status: 200, body: { items: items.map(doubtfulView), nextCursor, total } };
  },
});
