// The preference centre: what a person wants, behind a link in their messages. A GET changes
// nothing, because scanners follow every link. The token seals who it is for.

import { z } from 'zod';
import { languageKey } from '../../actors/channels/words/language-tag.ts';
import { notFound } from '../../actors/faults.ts';
import type { PreferencesLink } from '../../actors/people/preferences-link.ts';
import type { OptInProtocol, PreferencesPage } from '../../actors/sending/opt-in/protocol.ts';
import type { AccountsProtocol } from '../../actors/tenants/accounts/protocol.ts';
import { FaultError } from '../../engine/base/fault.ts';
import { errorAnswer } from '../call/answer/errors.ts';
import type { Call } from '../call/call.ts';
import { anybody, type Reply, route } from '../call/route.ts';
import { hostedWords } from './hosted-words.ts';
import { checkLinkHost } from './link-host.ts';
import { acceptedLanguages, pageWords } from './page-words.ts';
import { changeOf, preferencesHtml } from './preferences-form.ts';
import { pageHeaders, unsubscribePage } from './unsubscribe-page.ts';

const query = z.object({
  language: z
    .string()
    .optional()
    .describe("The message's language; the browser's if omitted. English if the page has neither."),
});

const shared = {
  path: '/p/:token',
  tag: 'Sign-ups',
  access: anybody,
  lane: 'none',
  params: { token: 'The token from the message; identifies the app and the person.' },
  query,
  responses: {
    200: { description: 'A page with a form.', contentType: 'text/html' },
    404: { description: 'A page that says the link is invalid.', contentType: 'text/html' },
  },
} as const;

export const readPreferencePage = route({
  ...shared,
  method: 'GET',
  reads: ['subscriber', 'topic', 'suppression'],
  summary: 'Preference center',
  description:
    'The page behind `{{ preferences_url }}`, which every text of a message may use, and behind the link in the footer of marketing emails. It shows the channels the person has (with masked addresses), the topics of the app, and the language. Opening it changes nothing.',
  handle: (call) => {
    const { app, ...named } = linkOf(call);
    return answered(call, app, false, () =>
      call.to<OptInProtocol>(app).ask('opt_in.preferences', named),
    );
  },
});

export const setPreferencePage = route({
  ...shared,
  method: 'POST',
  changes: ['subscriber', 'topic', 'suppression', 'event'],
  summary: 'Change preferences on the page',
  description:
    'The page\'s form. A change is an event `preferences_changed` with the source `page`. A topic with a double opt-in that is switched on holds at once if the link came by an email to an address that the person still has; otherwise the choice is `pending` and an email asks for the confirmation. "Nothing at all" leaves every topic and opts every address out, of marketing alone if the app sets `unsubscribeScope` to `marketing`; saving the form later ends the person\'s own opt-out of the address that got the link.',
  rawBody: true,
  handle: (call) => {
    const { app, ...named } = linkOf(call);
    const change = changeOf(call.bytes);
    const { language, ...others } = change;
    const known = languageKey(language) === undefined ? others : change;
    const asked = { ...named, change: known, source: 'page' as const };
    return answered(call, app, true, () =>
      call.to<OptInProtocol>(app).ask('opt_in.set_preferences', asked),
    );
  },
});

type Asked = Call<z.output<typeof query>, unknown>;

/** App 0 for a link that is not ours: no app has that number. */
function linkOf(call: Asked): PreferencesLink {
  return call.edge.openPreferences(call.param('token')) ?? { app: 0, person: 0 };
}

/** Always responds with a page: the reader is a person, not a program. */
async function answered(
  call: Asked,
  app: number,
  isSaved: boolean,
  ask: () => Promise<PreferencesPage>,
): Promise<Reply> {
  const languages = [call.query.language, ...acceptedLanguages(call.header('accept-language'))];
  try {
    if (app === 0) throw new FaultError(notFound('link'));
    await checkLinkHost(call, app);
    const page = await ask();
    if (page.state === 'gone') throw new FaultError(notFound('link'));
    const { name, branding } = await call.to<AccountsProtocol>(app).ask('app.read', {});
    const words = hostedWords([page.language ?? undefined, ...languages]);
    const html = preferencesHtml(page, name, words, isSaved, branding);
    return { status: 200, html, headers: pageHeaders(branding) };
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
    const { fault } = error;
    const kind = fault.code === 'not_found' ? 'unknown_preferences' : 'later';
    const { status, headers } = errorAnswer(fault);
    const html = unsubscribePage({ kind }, pageWords(languages, undefined));
    return { status, html, headers: [...pageHeaders(), ...headers] };
  }
}
