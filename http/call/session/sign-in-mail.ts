// Mails sign-in links. It starts once the caller has its answer, so that neither its time nor its
// words say whether an address is a member. A mail that fails is not tried again: people ask anew.

import { createHash } from 'node:crypto';
import type { PlatformMail, PlatformMailer } from '../../../actors/channels/email/platform-mail.ts';
import { mailHash, platformReturn } from '../../../actors/channels/email/return-path.ts';
import type { Sealer } from '../../../actors/sealer.ts';
import type {
  LinkView,
  Membership,
  SessionsProtocol,
} from '../../../actors/tenants/sessions/protocol.ts';
import type { Message } from '../../../engine/actor/message.ts';
import { slotOf } from '../../../engine/actor/placement.ts';
import { type Millis, minuteMs } from '../../../engine/base/brand.ts';
import type { HmacSha256 } from '../../../engine/base/hmac.ts';
import type { Log } from '../../../engine/observe/log.ts';
import type { CallEdge } from '../call-edge.ts';
import { linkUrl, makeLinkToken } from './link-token.ts';
import { areStopped, stopMails, stopUrl } from './mail-stop.ts';
import { membershipsOf } from './memberships.ts';
import type { MailBound, SignInBounds } from './sign-in-bounds.ts';

/** Links on their way at a time; more are dropped. */
const atOnceMax = 64;

type MailEdge = Pick<CallEdge, 'clock' | 'config' | 'router' | 'rng'>;

/** What became of a request for a mail. `nobody`: the address is no member. */
export type SignInMailResult =
  | MailBound
  | 'dead'
  | 'dropped'
  | 'failed'
  | 'member'
  | 'nobody'
  | 'no_mail'
  | 'sent'
  | 'stopped';

interface MailOptions {
  /** `undefined` without a relay or a sender: nothing is mailed then. */
  open(): Promise<PlatformMailer | undefined>;
  readonly bounds: SignInBounds;
  readonly sealer: Sealer;
  /** Signs the address to which mails come back. */
  readonly mac: HmacSha256 | undefined;
  count(result: SignInMailResult): void;
}

export class SignInMail {
  readonly #edge: MailEdge;
  readonly #log: Log;
  readonly #options: MailOptions;
  #mailer: Promise<PlatformMailer | undefined> | undefined;
  #running = 0;

  constructor(edge: MailEdge, log: Log, options: MailOptions) {
    this.#edge = edge;
    this.#log = log;
    this.#options = options;
  }

  /** `place`: the hash of where it is asked for (`CallEdge.placeOf`). */
  request(email: string, place: string): void {
    const log = this.#log;
    const { count } = this.#options;
    if (this.#running >= atOnceMax) {
      count('dropped');
      log.warn({ evt: 'sign_in.dropped' }, 'too many sign-in links at once; one was not mailed');
      return;
    }
    this.#running++;
    setImmediate(() => {
      this.#mail(email, place)
        .then(count, (error: unknown) => {
          count('failed');
          log.warn({ evt: 'sign_in.failed', err: error }, 'a sign-in link could not be mailed');
        })
        .finally(() => this.#running--);
    });
  }

  async close(): Promise<void> {
    await (await this.#mailer?.catch(() => undefined))?.close();
  }

  async #mail(email: string, place: string): Promise<SignInMailResult> {
    const edge = this.#edge;
    const log = this.#log;
    this.#mailer ??= this.#options.open();
    const sender = await this.#mailer;
    if (sender === undefined) {
      log.warn(
        { evt: 'sign_in.no_mail' },
        'this server mails no sign-in links: set ENGAGE_SMTP_URL and ENGAGE_MAIL_FROM, or make a link with `engage dashboard-link <email>`',
      );
      return 'no_mail';
    }
    const memberships = await membershipsOf(edge, email);
    if (memberships.length === 0) return 'nobody';
    if (await areStopped(edge.router, email)) return 'stopped';
    const found = this.#withRoom(memberships, place);
    if (typeof found === 'string') {
      log.warn({ evt: 'sign_in.bounded', reason: found }, 'a limit held back a sign-in mail');
      return found;
    }
    const made = await linkFor(edge, found, 'link', place);
    if (made === undefined) return 'member';
    const result = await sender.send(this.#mailOf(made, edge.clock.now()));
    if (result === 'accepted') return 'sent';
    if (result === 'dead') await stopMails(edge.router, mailHash(email), 'bounce');
    log.warn({ evt: 'sign_in.failed' }, 'the relay refused a mail with a sign-in link');
    return result;
  }

  /**
   * The first whose bounds have room: an org that spent its own keeps no link of another back, and
   * strangers who spent the address's none of an org that this person signed in to from here.
   */
  #withRoom(memberships: readonly Membership[], place: string): Membership | MailBound {
    const nowMs = this.#edge.clock.now();
    let bounded: MailBound = 'org';
    for (const membership of memberships) {
      const isKnown = membership.member.places?.includes(place) === true;
      if (bounded !== 'org' && !isKnown) continue;
      const bound = this.#options.bounds.take(membership, isKnown, nowMs);
      if (bound === undefined) return membership;
      if (bound === 'server' || (bound === 'address' && isKnown)) return bound;
      if (bound === 'address') bounded = bound;
    }
    return bounded;
  }

  #mailOf(made: MadeLink, dateMs: Millis): PlatformMail {
    const { sealer, mac } = this.#options;
    const { config, rng } = this.#edge;
    const { email } = made;
    const { bounceDomain } = config;
    const returnPath =
      mac === undefined || bounceDomain === undefined
        ? undefined
        : platformReturn(mailHash(email), bounceDomain, mac);
    return mailOf(made, stopUrl(config.publicUrl, sealer, email, rng), returnPath, dateMs);
  }
}

interface MadeLink extends LinkView {
  readonly url: string;
}

type LinkEdge = Pick<CallEdge, 'config' | 'router'>;

/**
 * A link for the org that the address used last, or for the one it names. `undefined` if the
 * address is no member there, or had as many links as an hour allows.
 */
export async function makeSignInLink(
  edge: LinkEdge,
  email: string,
  way: 'link' | 'once',
  orgId?: string,
): Promise<MadeLink | undefined> {
  const found = chosenOf(await membershipsOf(edge, email), orgId);
  return found && linkFor(edge, found, way);
}

function chosenOf(memberships: readonly Membership[], orgId?: string): Membership | undefined {
  return memberships.find((one) => orgId === undefined || one.orgId === orgId);
}

async function linkFor(
  edge: LinkEdge,
  { org, member: { email } }: Membership,
  way: 'link' | 'once',
  place?: string,
): Promise<MadeLink | undefined> {
  const { text, hash } = makeLinkToken(slotOf(org));
  const message = { kind: 'session.make_link', by: -1, email, hash, way, place } as Message;
  const answer = await edge.router.ask(org, message);
  if (!answer.ok) throw new Error(answer.fault.message);
  const view = answer.value as SessionsProtocol['session.make_link']['reply'];
  return view === null ? undefined : { ...view, url: linkUrl(edge.config.publicUrl, way, text) };
}

/** No word of a tenant: an org's name may be an advertisement. The page behind the link has it. */
function mailOf(
  { email, url, expiresMs }: MadeLink,
  stop: string,
  returnPath: string | undefined,
  dateMs: Millis,
): PlatformMail {
  const minutes = Math.max(1, Math.round((expiresMs - dateMs) / minuteMs));
  const intro = `Open this link to sign in. It works once, for ${minutes} minutes.`;
  const rest = 'If you did not request it, ignore this email. No one can sign in without the link.';
  const never = 'To stop these emails if they are not for you:';
  return {
    to: email,
    subject: 'Your sign-in link',
    text: `${intro}\n\n${url}\n\n${rest}\n\n${never}\n${stop}\n`,
    html: `<p>${intro}</p><p><a href="${escaped(url)}">Sign in</a></p><p>${rest}</p><p><small>${never} <a href="${escaped(stop)}">stop them</a>.</small></p>`,
    dateMs,
    id: `sign-in.${createHash('sha256').update(`mail ${url}`).digest('hex').slice(0, 32)}`,
    headers: [
      ['List-Unsubscribe', `<${stop}>`],
      ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
    ],
    returnPath,
  };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}
