// A previewed mail as a page for a frame. Its own policy lets it show its styles and pictures and
// nothing else: no script, no form, no frame, and no origin.

import { notFound } from '../../../actors/faults.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { anybody, route } from '../../call/route.ts';

const headers = [
  [
    'content-security-policy',
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self' https: data:; frame-ancestors 'self'",
  ],
  ['cache-control', 'no-store'],
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['x-robots-tag', 'noindex, nofollow'],
] as const;

export const readMailPreview = route({
  method: 'GET',
  path: '/preview/:token',
  params: { token: 'The last part of `mailPath` in a preview.' },
  summary: 'Read a previewed email',
  description:
    'The HTML of a previewed email, for `<iframe sandbox>` in a page of this server. It runs no script and loads only its own styles and pictures. The link works for five minutes and not after a restart; preview the message again for another.',
  tag: 'Messages',
  access: anybody,
  reads: ['message'],
  lane: 'address',
  responses: { 200: { description: 'The email.', contentType: 'text/html' } },
  refusals: [404, 429],
  async handle({ edge, params }) {
    const html = edge.mailPreviews.read(params['token'] ?? '', edge.clock.now());
    if (html === undefined) throw new FaultError(notFound('preview'));
    return { status: 200, html, headers };
  },
});
