// The link in every email: a page that asks, and the POST that opts out, from that page or a mail
// program's button (RFC 8058: no cookies, no redirect). A GET never unsubscribes, because scanners
// follow every link. The token seals the address, so nobody can opt out someone else.

import { z } from 'zod';
import { notFound } from '../../actors/faults.ts';
import type { AudienceProtocol } from '../../actors/people/audience/protocol.ts';
import type { TopicsProtocol } from '../../actors/people/topics/protocol.ts';
import type { OptInProtocol } from '../../actors/sending/opt-in/protocol.ts';
import type { AccountsProtocol } from '../../actors/tenants/accounts/protocol.ts';
import type { AppSettings, Branding } from '../../actors/tenants/accounts/records.ts';
import { type Fault, FaultError } from '../../engine/base/fault.ts';
import { errorAnswer } from '../call/answer/errors.ts';
import type { Call } from '../call/call.ts';
import type { UnsubscribeLink } from '../call/call-edge.ts';
import { anybody, type Reply, route } from '../call/route.ts';
import { checkLinkHost } from './link-host.ts';
import { acceptedLanguages, type PageWords, pageWords } from './page-words.ts';
import { pageHeaders, type UnsubscribePage, unsubscribePage } from './unsubscribe-page.ts';

const query = z.object({
  language: z
    .string()
    .optional()
    .describe("The email's language; the browser's if omitted. English if the page has neither."),
});

const shared = {
  path: '/u/:token',
  tag: 'Suppressions',
  access: anybody,
  lane: 'none',
  params: { token: 'The token from the email; identifies the app and the address.' },
  query,
} as const;

export const confirmUnsubscribe = route({
  ...shared,
  method: 'GET',
  reads: ['suppression'],
  summary: 'Unsubscribe confirmation page',
  description: 'The page behind the unsubscribe link in an email. Opening it changes nothing.',
  responses: {
    200: { description: 'A page with a confirmation button.', contentType: 'text/html' },
    404: { description: 'A page that says the link is invalid.', contentType: 'text/html' },
  },
  handle: (call) =>
    answered(call, async ({ app, address, isMarketing, topic: key }) => {
      const accounts = call.to<AccountsProtocol>(app);
      const { name, branding } = await accounts.ask('app.read', {});
      const scope = isMarketing
        ? (await accounts.ask('settings.read', {})).unsubscribeScope
        : 'all';
      const more = await preferencesOf(call, app, address);
      // Nobody has a choice at an address that nobody has.
      const isSomebodys = more.preferences !== undefined;
      const topic = isSomebodys && key !== undefined ? await topicNamed(call, app, key) : {};
      const page = { kind: 'confirm', appName: name, address, scope, ...topic, ...more } as const;
      return { page, branding };
    }),
});

export const unsubscribe = route({
  ...shared,
  method: 'POST',
  changes: ['suppression', 'topic', 'subscriber', 'event'],
  summary: 'Unsubscribe an email address',
  description:
    'Opts the address out of all emails of the app, or of marketing alone if the link is from a marketing email and the app sets `unsubscribeScope` to `marketing`. Any body is accepted: a form, or `List-Unsubscribe=One-Click` from an email client. From an email about a topic it leaves that topic alone, as an event `preferences_changed` with the source `unsubscribe`. A form with `scope=marketing` or `scope=all` opts out of more. Repeating the request changes nothing.',
  rawBody: true,
  responses: {
    200: { description: 'A page that confirms it.', contentType: 'text/html' },
    404: { description: 'A page that says the link is invalid.', contentType: 'text/html' },
  },
  handle: (call) =>
    answered(call, async (link) => {
      const { app, address, isMarketing, about } = link;
      const asked = scopeOf(call);
      const left = asked === null ? await leftTopic(call, link) : undefined;
      if (left !== undefined) return left;
      const narrow = isMarketing && asked !== 'all' ? { scope: 'marketing' as const } : {};
      const { scope = 'all' } = await call.to<AudienceProtocol>(app).ask('suppression.add', {
        channel: 'email',
        address,
        source: 'unsubscribe',
        ...narrow,
        ...(about === undefined ? {} : { about }),
      });
      const branding = await brandingOf(call, app);
      const more = await preferencesOf(call, app, address);
      return { page: { kind: 'done', address, scope, ...more }, branding };
    }),
});

/** What the page's buttons for more post; `null` for the first one and for mail programs. */
function scopeOf({ bytes }: Call<unknown, unknown>): string | null {
  const form = Buffer.from(bytes.subarray(0, formBytesMax)).toString('latin1');
  return new URLSearchParams(form).get('scope');
}

/** `undefined` for a message without a topic, or if nobody can leave it any more. */
async function leftTopic(
  call: Call<Query, unknown>,
  { app, address, isMarketing, about, topic: key }: UnsubscribeLink,
): Promise<Shown | undefined> {
  if (key === undefined) return undefined;
  const mail = about === undefined ? {} : { about };
  const asked = { address, topic: key, ...mail, source: 'unsubscribe' as const };
  const left = await call.to<OptInProtocol>(app).ask('opt_in.leave_topic', asked);
  if (left === null) return undefined;
  const settings = call.to<AccountsProtocol>(app).ask('settings.read', {});
  const { unsubscribeScope = 'all' } = (await ifAnswered(settings)) ?? {};
  const scope = isMarketing ? unsubscribeScope : 'all';
  const more = await preferencesOf(call, app, address);
  const page = { kind: 'done', address, scope, topic: left.topic, ...more } as const;
  return { page, branding: await brandingOf(call, app) };
}

/** The name that people know; nothing for a topic that is deleted. */
async function topicNamed(
  call: Call<Query, unknown>,
  app: number,
  key: string,
): Promise<{ readonly topic?: string }> {
  const asked = call.to<TopicsProtocol>(app).ask('topic.read', { topic: key });
  const topic = await ifAnswered(asked);
  return topic === undefined ? {} : { topic: topic.name };
}

const formBytesMax = 1_024;

type Query = z.output<typeof query>;

interface Shown {
  readonly page: UnsubscribePage;
  readonly branding: Branding | undefined;
}

/** Always responds with a page: the reader is a person, not a program. */
async function answered(
  call: Call<Query, unknown>,
  pageFor: (link: UnsubscribeLink) => Promise<Shown>,
): Promise<Reply> {
  const languages = [call.query.language, ...acceptedLanguages(call.header('accept-language'))];
  try {
    const link = call.edge.openUnsubscribe(call.param('token'));
    if (link === undefined) throw new FaultError(notFound('link'));
    await checkLinkHost(call, link.app);
    const { page, branding } = await pageFor(link);
    const words = pageWords(languages, await wordingOf(call, link.app));
    const html = unsubscribePage(page, words, branding);
    return { status: 200, html, headers: pageHeaders(branding) };
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
    return refused(error.fault, pageWords(languages, undefined));
  }
}

/** An opt-out that is stored is confirmed, whatever happens to words and looks. */
async function ifAnswered<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof FaultError) return undefined;
    throw error;
  }
}

async function wordingOf(call: Call<Query, unknown>, app: number): Promise<AppSettings['wording']> {
  const asked = call.to<AccountsProtocol>(app).ask('settings.read', {});
  return (await ifAnswered(asked))?.wording;
}

/** The way to more choices; none where nobody has the address any more. */
async function preferencesOf(
  call: Call<Query, unknown>,
  app: number,
  address: string,
): Promise<{ readonly preferences?: string }> {
  const asked = call.to<OptInProtocol>(app).ask('opt_in.person_at', { address });
  const person = await ifAnswered(asked);
  if (person === undefined || person === null) return {};
  const path = call.edge.preferencesPath({ app, person, address });
  const { language } = call.query;
  const query = language === undefined ? '' : `?language=${encodeURIComponent(language)}`;
  return { preferences: path + query };
}

async function brandingOf(call: Call<Query, unknown>, app: number): Promise<Branding | undefined> {
  const asked = call.to<AccountsProtocol>(app).ask('app.read', {});
  return (await ifAnswered(asked))?.branding;
}

function refused(refusal: Fault, words: PageWords): Reply {
  // A deleted app sends no more, so its links are unknown.
  const kind = refusal.code === 'not_found' ? 'unknown' : 'later';
  const { status, headers } = errorAnswer(refusal);
  return {
    status,
    html: unsubscribePage({ kind }, words),
    headers: [...pageHeaders(), ...headers],
  };
}
