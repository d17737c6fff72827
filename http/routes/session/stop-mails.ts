// The link in every sign-in mail for those who did not ask for it: a page that asks, and the POST
// that stops these mails, from that page or a mail program's button (RFC 8058). As with unsubscribe
// links, a GET changes nothing, because scanners follow every link.

import { mailHash } from '../../../actors/channels/email/return-path.ts';
import { fault } from '../../../actors/faults.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import type { Call } from '../../call/call.ts';
import { anybody, type Reply, route } from '../../call/route.ts';
import { stopMails } from '../../call/session/mail-stop.ts';
import { cardPage, escapedText, pageHeaders } from '../../track/unsubscribe-page.ts';

const shared = {
  path: '/stop/:token',
  tag: 'Sessions',
  access: anybody,
  lane: 'none',
  params: { token: 'The token from the mail; identifies the address.' },
} as const;

const gone = {
  404: { description: 'A page that says the link is invalid.', contentType: 'text/html' },
} as const;

export const confirmStopMails = route({
  ...shared,
  method: 'GET',
  reads: ['mail-stop'],
  summary: 'Page to stop sign-in mails',
  description: 'The page behind the link in a sign-in mail. Opening it changes nothing.',
  responses: {
    200: { description: 'A page with a confirmation button.', contentType: 'text/html' },
    ...gone,
  },
  handle: (call) => answered(call, async (address) => asking(address)),
});

export const stopSignInMails = route({
  ...shared,
  method: 'POST',
  changes: ['mail-stop'],
  summary: 'Stop sign-in mails',
  description:
    'The address gets no more mails with sign-in links, whichever org it is a member of. Any body is accepted: a form, or `List-Unsubscribe=One-Click` from an email client. A form with `again=1` allows them again. `engage dashboard-link` still creates links.',
  rawBody: true,
  responses: {
    200: { description: 'A page that confirms it.', contentType: 'text/html' },
    ...gone,
  },
  handle: (call) =>
    answered(call, async (address) => {
      const again = isAgain(call);
      const { router } = call.edge;
      if (await stopMails(router, mailHash(address), again ? undefined : 'person'))
        return again ? asking(address) : stopped(address);
      throw new FaultError(fault('overloaded', 'try again in a moment'));
    }),
});

const formBytesMax = 1_024;

function isAgain({ bytes }: Call<unknown, unknown>): boolean {
  const form = Buffer.from(bytes.subarray(0, formBytesMax)).toString('latin1');
  return new URLSearchParams(form).get('again') === '1';
}

/** Always responds with a page: the reader is a person, not a program. */
async function answered(
  call: Call<unknown, unknown>,
  pageFor: (address: string) => Promise<string>,
): Promise<Reply> {
  const address = call.edge.openMailStop(call.param('token'));
  if (address === undefined) {
    const html = page('?', 'This link does not work', 'Open it again from the mail.', '');
    return { status: 404, html, headers: pageHeaders() };
  }
  return { status: 200, html: await pageFor(address), headers: pageHeaders() };
}

function asking(address: string): string {
  const text = `${bold(address)} gets no more mails with sign-in links from this server.`;
  return page('&#9993;', 'Stop sign-in mails?', text, form('stop', 'Stop these mails'));
}

function stopped(address: string): string {
  const text = `${bold(address)} gets no more mails with sign-in links from this server.`;
  return page('&#10003;', 'These mails have stopped', text, form('again', 'Let them come again'));
}

function page(mark: string, title: string, text: string, formHtml: string): string {
  return cardPage({ mark, title, text, form: formHtml }, 'en');
}

function bold(address: string): string {
  return `<b>${escapedText(address)}</b>`;
}

function form(name: 'stop' | 'again', label: string): string {
  const kind = name === 'again' ? ' class="also"' : '';
  return `
<form method="post">
<input type="hidden" name="${name}" value="1">
<button${kind}>${label}</button>
</form>`;
}
