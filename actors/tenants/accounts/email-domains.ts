// Decides about an app's sender domains: added with a key of their own, proven by that key's record
// in the DNS. The edge makes keys and asks the DNS; its answers come here as a message.

import { accepted, type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { domainOf, emailAddress } from '../../channels/email/address.ts';
import { fault } from '../../faults.ts';
import { limits } from '../../limits.ts';
import { emailDomainPlace, type Sealer } from '../../sealer.ts';
import { judgeDkimRecord, judgeDmarcRecord } from './dkim-record.ts';
import { judgeLinkRecord, linkCheckAfter } from './link-host.ts';
import type { AccountsMemory, AccountsView } from './memory.ts';
import type { AccountsEntry, AccountsProtocol, EmailDomainView, LinkName } from './protocol.ts';
import {
  agencyOf,
  type EmailDomainRecord,
  type EmailDomainState,
  type RecordCheck,
} from './records.ts';
import { isVouched, type SenderRules, senderWith } from './sender.ts';
import { withApp, withNamed } from './with-app.ts';

type EmailDomainsProtocol = Pick<
  AccountsProtocol,
  Extract<keyof AccountsProtocol, `email_domain.${string}`>
>;

/** Apps are read until a page has as many. */
const linkNamesOfPage = 1_000;

interface EmailDomainRules {
  readonly sealer: Sealer;
  readonly plan: { readonly senders: SenderRules };
}

const withDomain = withNamed('email domain', (app: AccountsView, name: string) =>
  app.emailDomains.get(name),
);

/** Names of links, which are looked at again by themselves. */
const linkNameDecisions: Decisions<
  Pick<AccountsProtocol, 'email_domain.link_names' | 'email_domain.links'>,
  AccountsMemory
> = {
  'email_domain.link_names': (state, { from }) => {
    const names: LinkName[] = [];
    let at = 0;
    for (const app of state.apps.values()) {
      if (at++ < from) continue;
      if (names.length >= linkNamesOfPage) return accepted({ names, next: at - 1 });
      names.push(...linkNamesOf(state, app));
    }
    return accepted({ names, next: null });
  },

  'email_domain.links': (state, { domain, selector, answer, host }, context) =>
    withDomain(state, domain, context, (kept) => {
      const { check } = kept;
      const before = check?.links;
      if (kept.selector !== selector || check === undefined || before === undefined)
        return accepted({ isLost: false });
      const now = judgeLinkRecord(host, answer);
      if (now.status === 'unanswered' || isSameRecord(before, now))
        return accepted({ isLost: false });
      const entry: AccountsEntry = {
        kind: 'email_domain.checked',
        owner: context.owner,
        name: domain,
        state: kept.state,
        check: { ...check, links: now },
      };
      const isLost = before.status === 'found' && now.status !== 'found';
      return accepted({ isLost }, { entries: [entry] });
    }),
};

export function emailDomainDecisions({
  sealer,
  plan: { senders },
}: EmailDomainRules): Decisions<EmailDomainsProtocol, AccountsMemory> {
  return {
    'email_domain.ask': (state, { domain }, context) =>
      withApp(state, context, (app) => {
        const kept = app.emailDomains.get(domain);
        if (kept !== undefined) return accepted(viewOf(app, kept, senders));
        return isFull(app) ? refused(tooMany) : accepted(null);
      }),

    'email_domain.add': (state, { domain, key }, context) =>
      withApp(state, context, (app) => {
        const kept = app.emailDomains.get(domain);
        if (kept !== undefined) return accepted(viewOf(app, kept, senders));
        if (isFull(app)) return refused(tooMany);
        const { selector, publicKey, privateKey } = key;
        const place = emailDomainPlace(context.owner, selector);
        const record: EmailDomainRecord = {
          domain,
          selector,
          publicKey,
          sealed: sealer.seal(privateKey, place, context.rng),
          state: 'pending',
          createdMs: context.nowMs,
        };
        const entry: AccountsEntry = {
          kind: 'email_domain.stored',
          owner: context.owner,
          domain: record,
        };
        return accepted(viewOf(app, record, senders), { entries: [entry] });
      }),

    'email_domain.list': (state, _message, context) =>
      withApp(state, context, (app) =>
        accepted([...app.emailDomains.values()].map((one) => viewOf(app, one, senders))),
      ),

    'email_domain.read': (state, { domain }, context) =>
      withDomain(state, domain, context, (kept, app) => accepted(viewOf(app, kept, senders))),

    'email_domain.check': (state, message, context) =>
      withDomain(state, message.domain, context, (kept, app) =>
        checked(app, kept, message, senders, context),
      ),

    ...linkNameDecisions,

    'email_domain.delete': (state, { domain }, context) =>
      withDomain(state, domain, context, (_kept, app) => {
        if (isNeeded(app, domain, senders)) return refused(inUse(domain));
        const entry: AccountsEntry = {
          kind: 'email_domain.deleted',
          owner: context.owner,
          name: domain,
        };
        return accepted(null, { entries: [entry] });
      }),
  };
}

function* linkNamesOf({ orgs }: AccountsMemory, app: AccountsView): Generator<LinkName> {
  const { ordinal, id: appId, org } = app.record;
  const agency = orgs.get(org)?.record;
  const tenant = { org, ...(agency === undefined ? {} : agencyOf(agency)) };
  for (const { domain, selector, state, check } of app.emailDomains.values()) {
    const wasFound = check?.links?.status !== undefined && check.links.status !== 'unanswered';
    if (state === 'verified' && wasFound) yield { app: ordinal, appId, tenant, domain, selector };
  }
}

function isSameRecord(one: RecordCheck, other: RecordCheck): boolean {
  return one.status === other.status && one.found.join(' ') === other.found.join(' ');
}

/** Why an app must not send from an address; `undefined` if it may. */
export function senderFault(
  app: AccountsView,
  fromAddress: string,
  senders: SenderRules,
): Fault | undefined {
  // Where an app has it from before, it goes on sending.
  if (fromAddress.toLowerCase() === senders.platformSender?.toLowerCase())
    return fieldFault('email.fromAddress', "is the address of the platform's own mails");
  const sender = senderWith(app, fromAddress, senders);
  if (sender.state !== 'unproven') return undefined;
  const path = `/v1/apps/${app.record.id}/email-domains`;
  const known = app.emailDomains.has(sender.domain);
  const next = known
    ? `set its DNS record, then POST ${path}/${sender.domain}/verify`
    : `POST ${path} adds it`;
  return fieldFault(
    'email.fromAddress',
    `${sender.domain} is not a verified sender domain of this app; ${next}`,
  );
}

/** A check of an older key, deleted meanwhile, says nothing about this one. */
function checked(
  app: AccountsView,
  kept: EmailDomainRecord,
  { selector, ...answers }: AccountsProtocol['email_domain.check']['body'],
  senders: SenderRules,
  { owner, nowMs }: Context,
): Decision<EmailDomainView> {
  if (kept.selector !== selector)
    return refused(fault('changed', 'the domain was added again in the meantime; verify it again'));
  const dkim = judgeDkimRecord(kept.publicKey, answers.dkim);
  const dmarc = judgeDmarcRecord(answers.dmarc);
  const state = stateAfter(kept.state, dkim.status);
  const now = answers.links && judgeLinkRecord(answers.links.host, answers.links.answer);
  const links = now && linkCheckAfter(kept.check?.links, now);
  const check = { atMs: nowMs, dkim, dmarc, ...(links === undefined ? {} : { links }) };
  const isNew = state === 'verified' && kept.state !== 'verified';
  const since = isNew ? { verifiedMs: nowMs } : {};
  const entry: AccountsEntry = {
    kind: 'email_domain.checked',
    owner,
    name: kept.domain,
    state,
    check,
    ...since,
  };
  return accepted(viewOf(app, { ...kept, state, check, ...since }, senders), { entries: [entry] });
}

/** Only an answer of the DNS changes a state: its outage must not stop mail. */
function stateAfter(before: EmailDomainState, status: RecordCheck['status']): EmailDomainState {
  if (status === 'unanswered') return before;
  return status === 'found' ? 'verified' : 'failed';
}

function viewOf(
  app: AccountsView,
  { sealed: _, ...record }: EmailDomainRecord,
  senders: SenderRules,
): EmailDomainView {
  return { ...record, vouched: isVouched(app, record.domain, senders) };
}

/** Whether the app's emails would stop without it. */
function isNeeded(app: AccountsView, domain: string, senders: SenderRules): boolean {
  const checkedAddress = emailAddress(app.settings.email.fromAddress ?? '');
  if ('problem' in checkedAddress || domainOf(checkedAddress.value) !== domain) return false;
  return senders.proofRequired && !isVouched(app, domain, senders);
}

function isFull({ emailDomains }: AccountsView): boolean {
  return emailDomains.size >= limits.emailDomainsMax;
}

const tooMany = fault(
  'limit_reached',
  `an app has at most ${limits.emailDomainsMax} email domains`,
);

function inUse(domain: string): Fault {
  return fault(
    'in_use',
    `${domain} is the domain of the setting email.fromAddress; change that first`,
  );
}
