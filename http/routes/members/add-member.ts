// Adds somebody who may sign in to the org.

import { z } from 'zod';
import type { MembersProtocol } from '../../../actors/tenants/members/protocol.ts';
import { key, route } from '../../call/route.ts';
import { emailSchema } from '../../call/schemas/email-schema.ts';
import { requireOrgKey } from '../org-key.ts';
import { memberSchema, memberView, roleSchema } from './member-shape.ts';

export const addMember = route({
  method: 'POST',
  path: '/v1/org/members',
  summary: 'Add a member',
  description:
    'A member signs in to the dashboard by a link that `POST /v1/session/link` mails. Nothing is sent now. The membership is an invitation until its person signs in here; they may decline it. An address can be a member once; addresses that differ only by case are the same: 409. A key can only give roles whose scopes it has: an owner has all, an editor read, write and send, a viewer read.',
  tag: 'Org',
  access: key('admin'),
  changes: ['member'],
  lane: 'standard',
  body: z
    .object({ email: emailSchema, role: roleSchema })
    .meta({ examples: [{ email: 'ada@acme.example', role: 'editor' }] }),
  responses: { 201: { description: 'The member.', schema: memberSchema } },
  refusals: [409],
  async handle(call) {
    requireOrgKey(call, 'members are');
    const member = await call.to<MembersProtocol>(call.org).ask('member.add', call.body);
    return { status: 201, body: memberView(member) };
  },
});
