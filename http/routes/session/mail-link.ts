// Mails a sign-in link. The answer is the same, and as fast, whether or not the address is known:
// the work happens after it.

import { z } from 'zod';
import { route, visitor } from '../../call/route.ts';
import { emailSchema } from '../../call/schemas/email-schema.ts';

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
