// Records an opt-out. After the response nothing leaves to this address: on any lane, or on the
// marketing lane alone.

import type { AudienceProtocol } from '../../../actors/people/audience/protocol.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { suppressionBody, suppressionSchema, suppressionView } from './suppression-view.ts';

export const addSuppression = route({
  method: 'POST',
  path: '/v1/apps/:appId/suppressions',
  summary: 'Record an opt-out',
  description:
    'Suppresses the address on every channel of its identity: for all sends, or with `scope: marketing` for campaigns and journeys alone. If the address is already suppressed, the first record is kept. One of scope `all` replaces one of scope `marketing`, never the reverse; to narrow an opt-out, remove it first.',
  tag: 'Suppressions',
  access: key('write'),
  changes: ['suppression'],
  lane: 'standard',
  body: suppressionBody,
  responses: { 201: { description: 'The opt-out.', schema: suppressionSchema } },
  refusals: [404],
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
