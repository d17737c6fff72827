// The link in every email: a page that asks, and the POST that opts out, from that page or a mail
// program's button (RFC 8058: no cookies, no redirect). A GET never unsubscribes, because scanners
// follow every link. The token seals the address, so nobody can opt out someone else.

import { notFound } from '../../actors/faults.ts';
import type { AudienceProtocol } from '../../actors/people/audience/protocol.ts';
import type { AccountsProtocol } from '../../actors/tenants/accounts/protocol.ts';
import { type Fault, FaultError } from '../../engine/base/fault.ts';
import type { Call } from '../call.ts';
import type { UnsubscribeLink } from '../call-edge.ts';
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
    answered(call, async ({ app, address, isMarketing }) => {
      const accounts = call.to<AccountsProtocol>(app);
      const { name } = await accounts.ask('app.read', {});
      const scope = isMarketing
        ? (await accounts.ask('settings.read', {})).unsubscribeScope
        : 'all';
      return unsubscribePage({ kind: 'confirm', appName: name, address, scope });
    }),
});

export const unsubscribe = route({
  ...shared,
  method: 'POST',
  summary: 'Unsubscribe an email address',
  description:
    'Opts the address out of all emails of the app, or of marketing alone if the link is from a marketing email and the app sets `unsubscribeScope` to `marketing`. Any body is accepted: a form, or `List-Unsubscribe=One-Click` from an email client. A form with `scope=all` opts out of everything. Repeating the request changes nothing.',
  rawBody: true,
  responses: {
    200: { description: 'A page that confirms it.', contentType: 'text/html' },
    404: { description: 'A page that says the link is invalid.', contentType: 'text/html' },
  },
  handle: (call) =>
    answered(call, async ({ app, address, isMarketing }) => {
      const narrow = isMarketing && !asksForAll(call) ? { scope: 'marketing' as const } : {};
      const { scope = 'all' } = await call
        .to<AudienceProtocol>(app)
        .ask('suppression.add', { channel: 'email', address, source: 'unsubscribe', ...narrow });
      return unsubscribePage({ kind: 'done', address, scope });
    }),
});

/** The page's button for everything; mail programs post no scope. */
function asksForAll({ bytes }: Call<unknown, unknown>): boolean {
  const form = Buffer.from(bytes.subarray(0, formBytesMax)).toString('latin1');
  return new URLSearchParams(form).get('scope') === 'all';
}

const formBytesMax = 1_024;

/** Always responds with a page: the reader is a person, not a program. */
async function answered(
  call: Call<unknown, unknown>,
  pageFor: (link: UnsubscribeLink) => Promise<string>,
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
