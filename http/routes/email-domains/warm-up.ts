// The warm-up of a sender domain: read, begun or changed, and ended.

import type { WarmUpProtocol } from '../../../actors/sending/warm-up/protocol.ts';
import { key, route } from '../../call/route.ts';
import { domainNamed, domainParam } from './email-domain-shape.ts';
import { warmUpBody, warmUpInput, warmUpSchema, warmUpView } from './warm-up-shape.ts';

const place = {
  path: '/v1/apps/:appId/email-domains/:domain/warm-up',
  tag: 'Email domains',
  params: { domain: domainParam },
} as const;

export const readWarmUp = route({
  ...place,
  method: 'GET',
  summary: 'Read the warm-up of a sender domain',
  description: 'The numbers of its days, and how many emails have left today.',
  access: key('read'),
  reads: ['warm-up'],
  responses: { 200: { description: 'The warm-up.', schema: warmUpSchema } },
  async handle(call) {
    const domain = domainNamed(call.param('domain'));
    const shown = await call.to<WarmUpProtocol>(call.app()).ask('warm_up.read', { domain });
    return { status: 200, body: warmUpView(shown) };
  },
});

/** Members that a change leaves out stay as they are. */
export const putWarmUp = route({
  ...place,
  method: 'PUT',
  edits: 'warm_up.put',
  summary: 'Warm up a sender domain',
  description:
    'Mailbox providers put aside what a new domain sends all at once. A warm-up limits how many emails leave the app from this domain on each UTC day. Campaigns and journeys wait for the next day with room, the most engaged people of a campaign first: active within 7 days, within 30, then the rest. Campaigns that run at the same time share a day equally. Transactional emails count, and never wait. On the day after a guard has paused a campaign the number stays the same. Members you leave out keep their value.',
  access: key('admin'),
  changes: ['warm-up'],
  body: warmUpBody,
  responses: { 200: { description: 'The warm-up.', schema: warmUpSchema } },
  async handle(call) {
    const domain = domainNamed(call.param('domain'));
    const input = warmUpInput(call.body);
    const shown = await call.to<WarmUpProtocol>(call.app()).ask('warm_up.put', { domain, input });
    return { status: 200, body: warmUpView(shown) };
  },
});

export const deleteWarmUp = route({
  ...place,
  method: 'DELETE',
  edits: 'warm_up.delete',
  summary: 'End the warm-up of a domain',
  description: 'What waits for it is sent at once, as fast as the campaigns are allowed.',
  access: key('admin'),
  changes: ['warm-up'],
  responses: { 204: { description: 'Ended.' } },
  async handle(call) {
    const domain = domainNamed(call.param('domain'));
    await call.to<WarmUpProtocol>(call.app()).ask('warm_up.delete', { domain });
    return { status: 204 };
  },
});
