// Says whom a sign-in link signs in, and does not spend it: the page asks before its button does.

import { z } from 'zod';
import type { SessionsProtocol } from '../../../actors/tenants/sessions/protocol.ts';
import { route, visitor } from '../../call/route.ts';
import { exampleIds, exampleInstant } from '../../call/schemas/example-ids.ts';
import { instant, instantSchema } from '../../call/schemas/schemas.ts';
import { judgeLink } from '../../call/session/judge-link.ts';
import { slotOfLink } from '../../call/session/link-token.ts';
import { choicesMax, choicesOf } from '../../call/session/memberships.ts';
import { exampleLinkToken, linkTokenSchema } from './link-shape.ts';

export const readSignInLink = route({
  method: 'POST',
  path: '/v1/session/link/read',
  summary: 'Read a sign-in link',
  description:
    'Shows who signs in by the link, and to which org, so that a page can ask first. Reading does not use up the link. After 20 wrong links per minute from an IP address, further wrong links are refused; a valid link always works. Needs the headers of `POST /v1/session`.',
  tag: 'Sessions',
  access: visitor,
  reads: ['sign-in-link'],
  lane: 'address',
  judgesFirst: true,
  body: z.object({ link: linkTokenSchema }).meta({ examples: [{ link: exampleLinkToken }] }),
  responses: {
    200: {
      description: 'The person and the org.',
      schema: z
        .object({
          email: z.string(),
          org: z.object({ id: z.string(), name: z.string() }),
          orgs: z
            .array(z.object({ id: z.string(), name: z.string(), invited: z.boolean() }))
            .describe(
              'If `POST /v1/session` needs `org` with this link, the orgs to choose from, at most 50; otherwise empty. `invited`: nobody signed in there with this address yet.',
            ),
          expiresAt: instantSchema,
        })
        .meta({
          examples: [
            {
              email: 'ada@acme.example',
              org: { id: exampleIds.org, name: 'Acme' },
              orgs: [],
              expiresAt: exampleInstant(900),
            },
          ],
        }),
    },
  },
  refusals: [401],
  async handle(call) {
    const { link } = call.body;
    const found = await judgeLink(call, 'link', link, (hash) =>
      call.to<SessionsProtocol>(slotOfLink(link)).ask('session.read_link', { hash }, { by: -1 }),
    );
    const { email, orgId, orgName, expiresMs } = found;
    const org = { id: orgId, name: orgName };
    const choices = await choicesOf(call.edge, found);
    const orgs = choices.slice(0, choicesMax).map((one) => ({
      id: one.orgId,
      name: one.orgName,
      invited: one.member.isOpen === true,
    }));
    return { status: 200, body: { email, org, orgs, expiresAt: instant(expiresMs) } };
  },
});
