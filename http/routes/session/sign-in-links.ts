// Links that sign in: mailing one, and reading what one may do.

import { z } from 'zod';
import type { SessionsProtocol } from '../../../actors/tenants/sessions/protocol.ts';
import { route, visitor } from '../../call/route.ts';
import { emailSchema } from '../../call/schemas/email-schema.ts';
import { exampleIds, exampleInstant } from '../../call/schemas/example-ids.ts';
import { instant, instantSchema } from '../../call/schemas/schemas.ts';
import { judgeLink } from '../../call/session/judge-link.ts';
import { slotOfLink } from '../../call/session/link-token.ts';
import { choicesMax, choicesOf } from '../../call/session/memberships.ts';
import { exampleLinkToken, linkTokenSchema } from './link-shape.ts';

/**
 * Mails a sign-in link. The answer is the same, and as fast, whether or not the address is known:
 * the work happens after it.
 */
export const mailSignInLink = route({
  method: 'POST',
  path: '/v1/session/link',
  summary: 'Mail a sign-in link',
  description:
    'For the dashboard. If the address is a member of an org, it gets a link that signs in once within 15 minutes; at most 5 per hour, of which the last works until the hour ends, and 5 more for requests from an IP address where its person signed in before. An address whose person stopped these mails gets none. The response is always the same. If the server cannot send email, the operator creates a link with `engage dashboard-link <email>`. Needs the headers of `POST /v1/session`.',
  tag: 'Sessions',
  access: visitor,
  changes: ['sign-in-link'],
  lane: 'address',
  body: z.object({ email: emailSchema }).meta({ examples: [{ email: 'ada@acme.example' }] }),
  responses: {
    202: {
      description: 'If the address is a member, a link is on its way.',
      schema: z.object({ accepted: z.literal(true) }).meta({ examples: [{ accepted: true }] }),
    },
  },
  refusals: [401],
  async handle(call) {
    const { edge, who = '' } = call;
    edge.mailSignInLink(call.body.email, edge.placeOf(who));
    return { status: 202, body: { accepted: true } };
  },
});

/**
 * Shows who a sign-in link is for, without using it up: the page reads this before its button.
 */
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
