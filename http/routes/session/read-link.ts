// Says whom a sign-in link signs in, and does not spend it: the page asks before its button does.

import { z } from 'zod';
import type { SessionsProtocol } from '../../../actors/tenants/sessions/protocol.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { exampleIds, exampleInstant } from '../../example-ids.ts';
import { route, visitor } from '../../route.ts';
import { instant, instantSchema } from '../../schemas.ts';
import { hashOfLink, slotOfLink } from '../../session/link-token.ts';
import { exampleLinkToken, linkTokenSchema } from './link-shape.ts';
import { refuseGuessing, wrong } from './open-session.ts';

export const readSignInLink = route({
  method: 'POST',
  path: '/v1/session/link/read',
  summary: 'Read a sign-in link',
  description:
    'Who signs in by the link, and where, so that a page can ask before it does. Reading does not use the link up. A wrong link counts as a failed authentication. Needs the headers of `POST /v1/session`.',
  tag: 'Sessions',
  access: visitor,
  lane: 'address',
  body: z.object({ link: linkTokenSchema }).meta({ examples: [{ link: exampleLinkToken }] }),
  responses: {
    200: {
      description: 'Who signs in by it.',
      schema: z
        .object({
          email: z.string(),
          org: z.object({ id: z.string(), name: z.string() }),
          expiresAt: instantSchema,
        })
        .meta({
          examples: [
            {
              email: 'ada@acme.example',
              org: { id: exampleIds.org, name: 'Acme' },
              expiresAt: exampleInstant(900),
            },
          ],
        }),
    },
  },
  refusals: [401],
  async handle(call) {
    refuseGuessing(call);
    const { link } = call.body;
    const found = await call
      .to<SessionsProtocol>(slotOfLink(link))
      .ask('session.read_link', { hash: hashOfLink(link) }, { by: -1 });
    if (found === null)
      throw new FaultError(
        wrong(
          call,
          'link',
          'this sign-in link was used, has expired, or never was one; ask for a new one',
        ),
      );
    const { email, orgId, orgName, expiresMs } = found;
    const org = { id: orgId, name: orgName };
    return { status: 200, body: { email, org, expiresAt: instant(expiresMs) } };
  },
});
