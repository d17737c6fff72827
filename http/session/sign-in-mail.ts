// Mails sign-in links. It starts once the caller has its answer, so that neither its time nor its
// words say whether an address is a member. A mail that fails is not tried again: people ask anew.

import { createHash } from 'node:crypto';
import type { PlatformMail, PlatformMailer } from '../../actors/channels/email/platform-mail.ts';
import type { SmtpConfig } from '../../actors/channels/provider-config.ts';
import { limits } from '../../actors/limits.ts';
import type { LinkView, SessionsProtocol } from '../../actors/tenants/sessions/protocol.ts';
import type { Message } from '../../engine/actor/message.ts';
import { slotOf } from '../../engine/actor/placement.ts';
import { minuteMs } from '../../engine/base/brand.ts';
import type { Log } from '../../engine/observe/log.ts';
import type { CallEdge } from '../call-edge.ts';
import { linkUrl, makeLinkToken } from './link-token.ts';
import { membershipsOf } from './memberships.ts';

/** Links on their way at a time; more are dropped. */
const atOnceMax = 64;

type MailEdge = Pick<CallEdge, 'clock' | 'config' | 'router'>;

export class SignInMail {
  readonly #edge: MailEdge;
  readonly #log: Log;
  readonly #smtp: SmtpConfig | undefined;
  readonly #from: string | undefined;
  #mailer: Promise<PlatformMailer | undefined> | undefined;
  #running = 0;

  /** Without a relay or a sender nothing is mailed. */
  constructor(edge: MailEdge, log: Log, smtp: SmtpConfig | undefined, from: string | undefined) {
    this.#edge = edge;
    this.#log = log;
    this.#smtp = smtp;
    this.#from = from;
  }

  request(email: string): void {
    const log = this.#log;
    if (this.#running >= atOnceMax) {
      log.warn({ evt: 'sign_in.dropped' }, 'too many sign-in links at once; one was not mailed');
      return;
    }
    this.#running++;
    setImmediate(() => {
      this.#mail(email)
        .catch((error: unknown) =>
          log.warn({ evt: 'sign_in.failed', err: error }, 'a sign-in link could not be mailed'),
        )
        .finally(() => this.#running--);
    });
  }

  async close(): Promise<void> {
    await (await this.#mailer?.catch(() => undefined))?.close();
  }

  async #mail(email: string): Promise<void> {
    const edge = this.#edge;
    const log = this.#log;
    this.#mailer ??= this.#open();
    const sender = await this.#mailer;
    if (sender === undefined) {
      log.warn(
        { evt: 'sign_in.no_mail' },
        'this server mails no sign-in links: set ENGAGE_SMTP_URL and ENGAGE_MAIL_FROM, or make a link with `engage dashboard-link <email>`',
      );
      return;
    }
    const made = await makeSignInLink(edge, email, 'link');
    if (made === undefined) return;
    const taken = await sender.send(mailOf(made, edge.clock.now()));
    if (!taken) log.warn({ evt: 'sign_in.failed' }, 'the relay refused a mail with a sign-in link');
  }

  /** The code for mail is loaded with the first one. */
  async #open(): Promise<PlatformMailer | undefined> {
    if (this.#smtp === undefined || this.#from === undefined) return undefined;
    const { openPlatformMailer } = await import('../../actors/channels/email/platform-mail.ts');
    return openPlatformMailer(this.#smtp, this.#edge.config.publicUrl, this.#from);
  }
}

interface MadeLink extends LinkView {
  readonly url: string;
}

/**
 * A link for the org that the address used last, or for the one it names. `undefined` if the
 * address is no member there, or had as many links as an hour allows.
 */
export async function makeSignInLink(
  edge: Pick<CallEdge, 'config' | 'router'>,
  email: string,
  way: 'link' | 'once',
  orgId?: string,
): Promise<MadeLink | undefined> {
  const memberships = await membershipsOf(edge, email);
  const found = memberships.find((one) => orgId === undefined || one.orgId === orgId);
  if (found === undefined) return undefined;
  const { text, hash } = makeLinkToken(slotOf(found.org));
  const message = { kind: 'session.make_link', by: -1, email, hash, way } as Message;
  const answer = await edge.router.ask(found.org, message);
  if (!answer.ok) throw new Error(answer.fault.message);
  const view = answer.value as SessionsProtocol['session.make_link']['reply'];
  return view === null ? undefined : { ...view, url: linkUrl(edge.config.publicUrl, way, text) };
}

function mailOf({ email, orgName, url }: MadeLink, dateMs: number): PlatformMail {
  const minutes = limits.signInLinkMs / minuteMs;
  const org = orgName.replace(/\s+/g, ' ');
  const intro = `Open this link to sign in to ${org} as ${email}. It works once, for ${minutes} minutes.`;
  const rest = 'If you did not ask for it, ignore this mail: nobody signs in without the link.';
  return {
    to: email,
    subject: `Sign in to ${org}`,
    text: `${intro}\n\n${url}\n\n${rest}\n`,
    html: `<p>${escaped(intro)}</p><p><a href="${escaped(url)}">Sign in</a></p><p>${escaped(rest)}</p>`,
    dateMs,
    id: `sign-in.${createHash('sha256').update(`mail ${url}`).digest('hex').slice(0, 32)}`,
  };
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
