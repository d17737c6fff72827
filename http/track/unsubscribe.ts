// The link in every email: a page that asks, and the POST that opts out, from that page or a mail
// program's button (RFC 8058: no cookies, no redirect). A GET never unsubscribes, because scanners
// follow every link. The token seals the address, so nobody can opt out someone else.

import { notFound } from '../../actors/faults.ts';
import type { AudienceProtocol } from '../../actors/people/audience/protocol.ts';
import type { AccountsProtocol } from '../../actors/tenants/accounts/protocol.ts';
import { type Fault, FaultError } from '../../engine/base/fault.ts';
import type { Call } from '../call.ts';
import { errorAnswer } from '../errors.ts';
import { anybody, type Reply, route } from '../route.ts';
import { pageHeaders, unsubscribePage } from './unsubscribe-page.ts';

const shared = {
  path: '/u/:token',
  tag: 'Suppressions',
  access: anybody,
  lane: 'none',
  params: { token: 'The token from the email; identifies the app and the address.' },
} as const;

export const confirmUnsubscribe = route({
  ...shared,
  method: 'GET',
  summary: 'Unsubscribe confirmation page',
  description: 'The page behind the unsubscribe link in an email. Opening it changes nothing.',
  responses: {
    200: { description: 'A page with a confirmation button.', contentType: 'text/html' },
    404: { description: 'A page that says the link is invalid.', contentType: 'text/html' },
  },
  handle: (call) =>
    answered(call, async ({ app, address }) => {
      const { name } = await call.to<AccountsProtocol>(app).ask('app.read', {});
      return unsubscribePage({ kind: 'confirm', appName: name, address });
    }),
});

export const unsubscribe = route({
  ...shared,
  method: 'POST',
  summary: 'Unsubscribe an email address',
  description:
    'Opts the address out of all emails of the app. Any body is accepted: a form, or `List-Unsubscribe=One-Click` from an email client. Repeating the request changes nothing.',
  rawBody: true,
  responses: {
    200: { description: 'A page that confirms it.', contentType: 'text/html' },
    404: { description: 'A page that says the link is invalid.', contentType: 'text/html' },
  },
  handle: (call) =>
    answered(call, async ({ app, address }) => {
      await call
        .to<AudienceProtocol>(app)
        .ask('suppression.add', { channel: 'email', address, source: 'unsubscribe' });
      return unsubscribePage({ kind: 'done', address });
    }),
});

/** Always responds with a page: the reader is a person, not a program. */
async function answered(
  call: Call<unknown, unknown>,
  pageFor: (link: { readonly app: number; readonly address: string }) => Promise<string>,
): Promise<Reply> {
  try {
    const link = call.edge.openUnsubscribe(call.param('token'));
    if (link === undefined) throw new FaultError(notFound('link'));
    return { status: 200, html: await pageFor(link), headers: pageHeaders };
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
    return refused(error.fault);
  }
}

function refused(refusal: Fault): Reply {
  // A deleted app sends no more, so its links are unknown.
  const kind = refusal.code === 'not_found' ? 'unknown' : 'later';
  const { status, headers } = errorAnswer(refusal);
  return { status, html: unsubscribePage({ kind }), headers: [...pageHeaders, ...headers] };
}
