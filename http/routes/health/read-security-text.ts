// Whom to write to about a hole in this server's security (RFC 9116), if its operator says so.

import { notFound } from '../../../actors/faults.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { anybody, route } from '../../call/route.ts';

const path = '/.well-known/security.txt';
/** The answer is made anew each time, so that it never expires while the server runs. */
const validDays = 180;
const dayMs = 86_400_000;

export const readSecurityText = route({
  method: 'GET',
  path,
  summary: 'Read the security contact',
  description:
    'The contact of `ENGAGE_SECURITY_CONTACT` for reports of security problems (RFC 9116); a 404 if it is not set.',
  tag: 'Health',
  access: anybody,
  reads: [],
  lane: 'none',
  responses: { 200: { description: 'The contact, as text.', contentType: 'text/plain' } },
  refusals: [404],
  async handle({ edge }) {
    const { securityContact, publicUrl } = edge.config;
    if (securityContact === undefined) throw new FaultError(notFound('security contact'));
    const dayOf = (ms: number) => Math.floor(ms / dayMs) * dayMs;
    const expires = new Date(dayOf(edge.clock.now()) + validDays * dayMs).toISOString();
    const lines = [
      `Contact: ${securityContact}`,
      `Expires: ${expires}`,
      `Canonical: ${publicUrl}${path}`,
    ];
    return {
      status: 200,
      text: `${lines.join('\n')}\n`,
      headers: [
        ['content-type', 'text/plain; charset=utf-8'],
        ['cache-control', 'max-age=86400'],
      ],
    };
  },
});
