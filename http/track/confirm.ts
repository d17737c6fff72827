// The link in the mail that asks for the confirmation of an address: a page that asks, and the POST
// that confirms. A GET changes nothing, because scanners follow every link.

import { z } from 'zod';
import { notFound } from '../../actors/faults.ts';
import type { ConfirmLink } from '../../actors/sending/opt-in/confirm-link.ts';
import type { ConfirmPage, OptInProtocol } from '../../actors/sending/opt-in/protocol.ts';
import type { AccountsProtocol } from '../../actors/tenants/accounts/protocol.ts';
import { FaultError } from '../../engine/base/fault.ts';
import { errorAnswer } from '../call/answer/errors.ts';
import { present } from '../call/answer/present.ts';
import type { Call } from '../call/call.ts';
import { anybody, type Reply, route } from '../call/route.ts';
import { confirmPage } from './confirm-page.ts';
import { checkLinkHost } from './link-host.ts';
import { acceptedLanguages, pageWords } from './page-words.ts';
import { pageHeaders, unsubscribePage } from './unsubscribe-page.ts';

const query = z.object({
  language: z
    .string()
    .optional()
    .describe("The email's language; the browser's if omitted. English if the page has neither."),
});

const shared = {
  path: '/confirm/:token',
  tag: 'Sign-ups',
  access: anybody,
  lane: 'none',
  params: { token: 'The token from the email; identifies the app, the address and the sign-up.' },
  query,
} as const;

const responses = {
  200: { description: 'A page.', contentType: 'text/html' },
  404: { description: 'A page that says the link is invalid.', contentType: 'text/html' },
} as const;

export const readConfirmation = route({
  ...shared,
  method: 'GET',
  reads: ['subscriber'],
  summary: 'Confirmation page',
  description:
    'The page behind the link of the email that asks for a confirmation. It shows what was signed up for, and a button. Opening it changes nothing. A link is valid for 7 days, once, and until a newer email replaces it.',
  responses,
  handle: (call) =>
    answered(call, ({ app, ...link }) => call.to<OptInProtocol>(app).ask('opt_in.read', link)),
});

export const confirmAddress = route({
  ...shared,
  method: 'POST',
  changes: ['subscriber', 'device', 'suppression', 'event'],
  summary: 'Confirm an address',
  description:
    "The button of the page: the address takes messages, the topics are chosen, the tags are set, and the person's own opt-out ends. The event `opt_in_confirmed` keeps the time, the address, the topics, the form and the sentence that was agreed to. What a request with an API key changed since the sign-up stays. A repeated request changes nothing.",
  rawBody: true,
  responses,
  handle: (call) =>
    answered(call, ({ app, ...link }) => {
      const body = present({ seen: seenOf(call) });
      const asked = { ...link, ...body, source: 'page' as const };
      return call.to<OptInProtocol>(app).ask('opt_in.confirm', asked);
    }),
});

const formBytesMax = 1_024;

function seenOf({ bytes }: Call<unknown, unknown>): string | undefined {
  const form = Buffer.from(bytes.subarray(0, formBytesMax)).toString('latin1');
  return new URLSearchParams(form).get('seen') ?? undefined;
}

type Asked = Call<z.output<typeof query>, unknown>;

/** Always responds with a page: the reader is a person, not a program. */
async function answered(
  call: Asked,
  pageFor: (link: ConfirmLink) => Promise<ConfirmPage>,
): Promise<Reply> {
  const languages = [call.query.language, ...acceptedLanguages(call.header('accept-language'))];
  try {
    const link = call.edge.openConfirm(call.param('token'));
    if (link === undefined) throw new FaultError(notFound('link'));
    await checkLinkHost(call, link.app);
    const page = await pageFor(link);
    const { name, branding } = await call.to<AccountsProtocol>(link.app).ask('app.read', {});
    const html = confirmPage(page, name, languages, branding);
    return { status: 200, html, headers: pageHeaders(branding) };
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
    const { fault } = error;
    const { status, headers } = errorAnswer(fault);
    const html =
      fault.code === 'not_found'
        ? confirmPage({ state: 'over' }, '', languages)
        : unsubscribePage({ kind: 'later' }, pageWords(languages, undefined));
    return { status, html, headers: [...pageHeaders(), ...headers] };
  }
}
