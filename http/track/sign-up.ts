// A sign-up form's page, and its POST, from that page or from any page that has the form. It says
// the same for every address: a stranger must not learn who is there.

import { z } from 'zod';
import { emailAddress } from '../../actors/channels/email/address.ts';
import { notFound } from '../../actors/faults.ts';
import type { FormPage, FormsProtocol } from '../../actors/sending/forms/protocol.ts';
import type { OptInProtocol } from '../../actors/sending/opt-in/protocol.ts';
import type { AccountsProtocol } from '../../actors/tenants/accounts/protocol.ts';
import type { Branding } from '../../actors/tenants/accounts/records.ts';
import { FaultError } from '../../engine/base/fault.ts';
import { parseId } from '../../engine/base/id.ts';
import { withRoom } from '../call/admission/held-room.ts';
import { errorAnswer } from '../call/answer/errors.ts';
import { present } from '../call/answer/present.ts';
import type { Call } from '../call/call.ts';
import { anybody, type Reply, route } from '../call/route.ts';
import { type HostedWords, hostedWords } from './hosted-words.ts';
import { acceptedLanguages, pageWords } from './page-words.ts';
import { answersOf, checkMailHtml, formHtml, nothingTyped } from './sign-up-form.ts';
import { pageHeaders, unsubscribePage } from './unsubscribe-page.ts';

const query = z.object({
  language: z
    .string()
    .optional()
    .describe("The page's language; the browser's if omitted. English if the page has neither."),
});

const shared = {
  path: '/f/:formId',
  tag: 'Sign-ups',
  access: anybody,
  lane: 'address',
  params: { formId: 'Form id.' },
  query,
} as const;

const pages = {
  200: { description: 'A page.', contentType: 'text/html' },
  404: { description: 'A page that says the form is gone.', contentType: 'text/html' },
} as const;

export const showForm = route({
  ...shared,
  method: 'GET',
  reads: ['form', 'topic'],
  summary: 'Sign-up form',
  description:
    'The page of a form. A form of your own may post to the same address from any page: the fields are `email`, `consent`, and one for each tag, by its name.',
  responses: pages,
  handle: (call) =>
    answered(call, async ({ page, words, branding }) => ({
      status: 200,
      html: formHtml(page, nothingTyped, words, branding),
      headers: formHeaders(page, branding),
    })),
});

/** Of a form's body. */
const formBytesMax = 16_384;

export const submitForm = route({
  ...shared,
  method: 'POST',
  changes: ['subscriber', 'device', 'notification'],
  summary: 'Sign up by a form',
  description:
    'Takes a form (`application/x-www-form-urlencoded`). The answer is the same for every address: a page that says to check the mail, or a 303 to the `redirectUrl` of the form. What is missing or wrong is said at its field, and what was typed is kept. A field that people do not see catches programs; they get the same answer. Sign-ups count as new anonymous people for the limits per minute.',
  rawBody: true,
  responses: {
    ...pages,
    303: {
      description: 'Redirects to the `redirectUrl` of the form.',
      headers: { location: 'The `redirectUrl`.' },
    },
    422: { description: 'The form again, with what is wrong.', contentType: 'text/html' },
  },
  handle: (call) => answered(call, (shown) => submitted(call, shown)),
});

type Asked = Call<z.output<typeof query>, unknown>;

interface Shown {
  readonly app: number;
  readonly page: FormPage;
  readonly words: HostedWords;
  readonly branding: Branding;
}

async function submitted(call: Asked, { app, page, words, branding }: Shown): Promise<Reply> {
  const { form } = page;
  const { typed, isTrapped, email, tags } = answersOf(form, call.bytes.subarray(0, formBytesMax));
  const checked = emailAddress(email);
  const wrong =
    'value' in checked || email === ''
      ? typed.wrong
      : { ...typed.wrong, email: 'badEmail' as const };
  if (Object.keys(wrong).length > 0) {
    const html = formHtml(page, { ...typed, wrong }, words, branding);
    return { status: 422, html, headers: formHeaders(page, branding) };
  }
  if (!isTrapped)
    await signUp(call, app, { endpoint: email, form: form.id, tags, language: words.language });
  if (form.redirectUrl !== undefined) {
    const headers = [
      ['location', form.redirectUrl],
      ['cache-control', 'no-store'],
      ['referrer-policy', 'no-referrer'],
    ] as const;
    return { status: 303, headers };
  }
  const html = checkMailHtml(email, words, branding);
  return { status: 200, html, headers: pageHeaders(branding) };
}

function formHeaders({ form }: FormPage, branding: Branding) {
  return pageHeaders(branding, { leaves: form.redirectUrl !== undefined });
}

interface Submitted {
  readonly endpoint: string;
  readonly form: string;
  readonly tags: ReturnType<typeof answersOf>['tags'];
  readonly language: string;
}

/** Holds room for a new person under the caller's address, whether one is made or not. */
async function signUp(call: Asked, app: number, asked: Submitted): Promise<void> {
  const { endpoint, form, tags, language } = asked;
  const signUp = { endpoint, form, wish: { topics: [], tags, language } };
  const optIns = call.to<OptInProtocol>(app);
  await withRoom(call, app, { people: 1 }, ({ room }) =>
    optIns.ask('opt_in.sign_up', { signUp, ...present({ room }) }, { lane: 'bulk' }),
  );
}

/** Always responds with a page: the reader is a person, not a program. */
async function answered(call: Asked, show: (shown: Shown) => Promise<Reply>): Promise<Reply> {
  const languages = [call.query.language, ...acceptedLanguages(call.header('accept-language'))];
  const id = call.param('formId');
  const app = parseId('frm', id)?.ordinal ?? 0; // no app has the number 0
  try {
    const page = await call.to<FormsProtocol>(app).ask('form.page', { id });
    const { branding } = await call.to<AccountsProtocol>(app).ask('app.read', {});
    return await show({ app, page, words: hostedWords(languages), branding });
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
    const fault = app === 0 ? notFound('form') : error.fault;
    const kind = fault.code === 'not_found' ? 'unknown_form' : 'later';
    const { status, headers } = errorAnswer(fault);
    const html = unsubscribePage({ kind }, pageWords(languages, undefined));
    return { status, html, headers: [...pageHeaders(), ...headers] };
  }
}
