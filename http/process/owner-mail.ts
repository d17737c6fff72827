// Mails the owners of an org when Engage has switched off one of its integrations, a campaign has
// paused itself, or the name of links is lost. It has no words of a tenant. A mail that fails is
// not tried again: the dashboard says it, too.

import { createHash } from 'node:crypto';
import type { PlatformMail, PlatformMailer } from '../../actors/channels/email/platform-mail.ts';
import { hopeless } from '../../actors/integrations/webhooks/destination.ts';
import type { IntegrationDisabled } from '../../actors/integrations/webhooks/protocol.ts';
import type { CampaignGuarded } from '../../actors/programs/campaigns/protocol.ts';
import type { MembersProtocol } from '../../actors/tenants/members/protocol.ts';
import type { Message } from '../../engine/actor/message.ts';
import { dayMs, type Millis, type Ordinal } from '../../engine/base/brand.ts';
import type { Log } from '../../engine/observe/log.ts';
import type { CallEdge } from '../call/call-edge.ts';
import { areStopped } from '../call/session/mail-stop.ts';
import type { LinkNameLost } from './link-names.ts';

/** Mails to the owners of an org in 24 hours; what comes beyond is not mailed. */
const perOrgMax = 3;
const ownersMax = 10;
const membersAsked = 200;
/** Orgs that are remembered, the latest ones. */
const orgsMax = 10_000;

type OwnerNotice = IntegrationDisabled | CampaignGuarded | LinkNameLost;

interface OwnerMailEdge extends Pick<CallEdge, 'clock'> {
  readonly config: Pick<CallEdge['config'], 'publicUrl'>;
  readonly router: Pick<CallEdge['router'], 'ask'>;
}

export class OwnerMail {
  readonly #edge: OwnerMailEdge;
  readonly #log: Pick<Log, 'warn'>;
  readonly #open: () => Promise<PlatformMailer | undefined>;
  readonly #mailedMs = new Map<Ordinal, readonly Millis[]>();
  #mailer: Promise<PlatformMailer | undefined> | undefined;

  /** `open`: `undefined` without a relay or a sender; nothing is mailed then. */
  constructor(
    edge: OwnerMailEdge,
    log: Pick<Log, 'warn'>,
    open: () => Promise<PlatformMailer | undefined>,
  ) {
    this.#edge = edge;
    this.#log = log;
    this.#open = open;
  }

  tell(notice: OwnerNotice): void {
    if (notice.kind === 'link_name.lost') this.#send(notice.org, wordsOfLost(notice));
    else if (notice.kind === 'campaign.guarded') this.#guarded(notice);
    else this.#disabled(notice);
  }

  async close(): Promise<void> {
    await (await this.#mailer?.catch(() => undefined))?.close();
  }

  #disabled(notice: IntegrationDisabled): void {
    const { type, appId: app } = notice;
    this.#log.warn(
      { evt: 'webhook.switched_off', app, type },
      'an integration was turned off, because its deliveries fail',
    );
    this.#send(notice.org, wordsOfDisabled(notice));
  }

  #guarded(notice: CampaignGuarded): void {
    const { appId: app, campaignId: campaign } = notice;
    this.#log.warn({ evt: 'campaign.guarded', app, campaign }, 'a campaign paused automatically');
    this.#send(notice.org, wordsOfGuarded(notice));
  }

  #send(org: Ordinal, words: MailWords): void {
    if (!this.#mayMail(org)) return;
    this.#mail(org, words).catch((error: unknown) =>
      this.#log.warn({ evt: 'owner_mail.failed', err: error }, 'owners could not be mailed'),
    );
  }

  #mayMail(org: Ordinal): boolean {
    const nowMs = this.#edge.clock.now();
    const recent = (this.#mailedMs.get(org) ?? []).filter((atMs) => nowMs - atMs < dayMs);
    this.#mailedMs.delete(org);
    const isAllowed = recent.length < perOrgMax;
    this.#mailedMs.set(org, isAllowed ? [...recent, nowMs] : recent);
    const [oldest] = this.#mailedMs.keys();
    if (this.#mailedMs.size > orgsMax && oldest !== undefined) this.#mailedMs.delete(oldest);
    return isAllowed;
  }

  async #mail(org: Ordinal, words: MailWords): Promise<void> {
    this.#mailer ??= this.#open();
    const mailer = await this.#mailer;
    if (mailer === undefined) return;
    const { router, clock, config } = this.#edge;
    const message = { kind: 'member.list', by: -1, limit: membersAsked } as unknown as Message;
    const answer = await router.ask(org, message);
    if (!answer.ok) throw new Error(answer.fault.message);
    const { items } = answer.value as MembersProtocol['member.list']['reply'];
    // Nobody who never signed in: an org names whom it likes.
    const signedIn = items.filter(({ role, isOpen }) => role === 'owner' && isOpen !== true);
    for (const { email } of signedIn.slice(0, ownersMax)) {
      if (await areStopped(router, email)) continue;
      const result = await mailer.send(mailOf(words, email, config.publicUrl, clock.now()));
      if (result !== 'accepted')
        this.#log.warn({ evt: 'owner_mail.failed' }, 'the relay refused a mail to an owner');
    }
  }
}

interface MailWords {
  readonly subject: string;
  /** Plain text without markup. */
  readonly paragraphs: readonly string[];
  /** Below the dashboard. */
  readonly path: string;
  readonly link: string;
}

function wordsOfDisabled({ appId, type }: IntegrationDisabled): MailWords {
  const { lost, days } = hopeless;
  return {
    subject: `Engage turned off an integration: ${type}`,
    paragraphs: [
      `Engage turned off the integration "${type}" of the app ${appId}: at least ${lost} deliveries failed permanently, and calls failed on ${days} days, with no success in between.`,
      'Events from now on are kept for 30 days as "stopped". Fix your server, save the integration to turn it on again, and then send the stopped deliveries again under Deliveries.',
    ],
    path: `${appId}/${type === 'legacy' ? 'settings#webhook' : `integrations/${type}`}`,
    link: 'Open the integration',
  };
}

function wordsOfGuarded({ appId, campaignId, text }: CampaignGuarded): MailWords {
  return {
    subject: 'A campaign paused automatically',
    paragraphs: [
      `The campaign ${campaignId} of the app ${appId} has paused itself: ${text}.`,
      'No more emails are sent until a member resumes it. The figures then start from zero.',
    ],
    path: `${appId}/campaigns/${campaignId}`,
    link: 'Open the campaign',
  };
}

function wordsOfLost({ appId, name }: LinkNameLost): MailWords {
  return {
    subject: `Links of your emails have lost their name: ${name}`,
    paragraphs: [
      `The DNS record of ${name} is gone or leads elsewhere, so links in emails of the app ${appId} that were sent with this name may be dead.`,
      'Links in new emails have the address of the server. Set the CNAME record again; Engage finds it within a day, or when you verify the domain.',
    ],
    path: `${appId}/channels/email`,
    link: 'Open the sender domains',
  };
}

function mailOf(words: MailWords, to: string, publicUrl: string, dateMs: Millis): PlatformMail {
  const { subject, paragraphs, path, link } = words;
  const url = `${publicUrl.replace(/\/+$/, '')}/dashboard/${path}`;
  const html = paragraphs.map((one) => `<p>${one.replaceAll('"', '&quot;')}</p>`);
  const digest = createHash('sha256').update(`${path} ${to} ${dateMs}`).digest('hex');
  return {
    to,
    subject,
    text: `${paragraphs.join('\n\n')}\n\n${url}\n`,
    html: `${html.join('')}<p><a href="${url}">${link}</a></p>`,
    dateMs,
    id: `owner.${digest.slice(0, 32)}`,
    headers: [],
    returnPath: undefined,
  };
}
