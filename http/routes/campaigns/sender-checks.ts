// What the DNS says of the sender of an app's mails: whether receivers can believe it. Records are
// kept for five minutes, since an author looks at a review again and again; that there are none
// for half a minute, since an author may be setting them.

import { domainOf, emailAddress } from '../../../actors/channels/email/address.ts';
import type { MailCheck } from '../../../actors/channels/email/mail-checks.ts';
import { relayKinds } from '../../../actors/channels/relays/kinds.ts';
import { dkimRecordName, judgeDkimRecord } from '../../../actors/tenants/accounts/dkim-record.ts';
import { hasLinkHost, linkHostName } from '../../../actors/tenants/accounts/link-host.ts';
import type {
  AccountsProtocol,
  EmailDomainView,
  TxtAnswer,
} from '../../../actors/tenants/accounts/protocol.ts';
import { platformAddress } from '../../../actors/tenants/accounts/sender.ts';
import type { RelaysProtocol, RelayView } from '../../../actors/tenants/relays/protocol.ts';
import { minuteMs, type Ordinal } from '../../../engine/base/brand.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import type { Call } from '../../call/call.ts';
import { type LookUp, type MailWay, wayChecks } from './way-checks.ts';

type AnyCall = Call<unknown, unknown>;

const recordsKeptMs = 5 * minuteMs;
const noneKeptMs = minuteMs / 2;
const keptMax = 2_000;
const kept = new Map<string, { readonly answer: TxtAnswer; readonly untilMs: number }>();

export async function senderChecks(call: AnyCall, app: Ordinal): Promise<MailCheck[]> {
  const accounts = call.to<AccountsProtocol>(app);
  const [settings, domains, relays] = await Promise.all([
    accounts.ask('settings.read', {}),
    accounts.ask('email_domain.list', {}),
    call.to<RelaysProtocol>(app).ask('relay.ways', { channel: 'email', stream: 'marketing' }),
  ]);
  const { platformDomain, bounceDomain, linkHost, mode, smtpUrl } = call.edge.config;
  const platform = platformAddress(app, platformDomain);
  const given = emailAddress(settings.email.fromAddress ?? platform ?? '');
  if ('problem' in given) return [without('sender', 'The app has no sender address.')];
  const address = given.value;
  const domain = domainOf(address);
  const own = domains.find((one) => one.domain === domain);
  const signedBy = own?.state === 'verified' ? own : undefined;
  const isPlatform = domain === platformDomain;
  const lookUp = lookUpOf(call);
  const [ownDkim, dmarc] = await Promise.all([
    dkimCheck(signedBy, isPlatform, lookUp),
    dmarcCheck(domain, lookUp),
  ]);
  const hasServer = mode === 'sandbox' || smtpUrl !== undefined;
  const ways = [...relays.map((one) => wayOf(one, app)), ...(hasServer ? [serverWay] : [])];
  const checks = await wayChecks(ways, {
    ...{ domain, lookUp, ownReturnPath: bounceDomain ?? domain },
    // Our signatures are of exactly the sender's domain (`mail-key.ts`).
    ownDkim: { ...ownDkim, isAligned: ownDkim.state === 'done' },
  });
  const link = linkHost === undefined ? [] : linkName(own);
  return [senderCheck(address, own, isPlatform), ...checks, dmarc, ...link];
}

const serverWay: MailWay = { name: 'This server' };

/** A client workspace does not learn what its agency calls a relay. */
function wayOf({ name: ownName, owner, kind, shown: config }: RelayView, app: Ordinal): MailWay {
  const { label = kind, signs } = relayKinds[kind] ?? {};
  const name = owner === app ? ownName : label;
  return signs === undefined ? { name } : { name, signs, config };
}

/** The name is looked at once a day (`link-names.ts`), and by whoever verifies the domain. */
function linkName(own: EmailDomainView | undefined): MailCheck[] {
  const { domain = '', check } = own ?? {};
  const links = check?.links;
  if (own === undefined || links === undefined) return [];
  const name = linkHostName(domain);
  if (hasLinkHost(own))
    return [{ check: 'link_name', state: 'done', about: `Links have the name ${name}.` }];
  const why = links.problem ?? `${domain} is not verified`;
  const about = `Links have the address of the server, not ${name}: ${why}.`;
  return [without('link_name', about)];
}

function without(check: MailCheck['check'], about: string): MailCheck {
  return { check, state: 'not_done', about };
}

function senderCheck(
  address: string,
  own: EmailDomainView | undefined,
  isPlatform: boolean,
): MailCheck {
  const domain = domainOf(address);
  const from = `Emails come from ${address}`;
  if (own?.state === 'verified')
    return { check: 'sender', state: 'done', about: `${from}; ${domain} is verified.` };
  if (isPlatform)
    return { check: 'sender', state: 'done', about: `${from}, the address of this server.` };
  return without('sender', `${from}; ${domain} is not verified.`);
}

async function dkimCheck(
  own: EmailDomainView | undefined,
  isPlatform: boolean,
  lookUp: LookUp,
): Promise<MailCheck> {
  const check = 'dkim';
  if (own === undefined) {
    if (!isPlatform) return without(check, 'Emails are not signed; verify the domain.');
    return { check, state: 'unknown', about: 'The operator of this server signs the emails.' };
  }
  const name = dkimRecordName(own.selector, own.domain);
  const { status, problem } = judgeDkimRecord(own.publicKey, await lookUp(name));
  if (status === 'found')
    return { check, state: 'done', about: `Emails are signed, and ${name} has the key.` };
  if (status === 'unanswered')
    return { check, state: 'unknown', about: `The DNS gave no answer for ${name}.` };
  return without(check, `${name}: ${problem ?? 'there is no such record'}.`);
}

/** At the domain itself, then at those above it (RFC 7489 6.6.3), down to two labels. */
async function dmarcCheck(domain: string, lookUp: LookUp): Promise<MailCheck> {
  const check = 'dmarc';
  const labels = domain.split('.');
  for (let from = 0; from <= labels.length - 2; from++) {
    const name = `_dmarc.${labels.slice(from).join('.')}`;
    const answer = await lookUp(name);
    if (answer.answer === 'failed')
      return { check, state: 'unknown', about: `The DNS gave no answer for ${name}.` };
    if (answer.answer === 'none') continue;
    const record = answer.texts.find((text) => /^v=DMARC1\s*(?:;|$)/i.test(text));
    const policy = record && /;\s*p\s*=\s*(none|quarantine|reject)\b/i.exec(record)?.[1];
    if (policy !== undefined)
      return { check, state: 'done', about: `${name} has the policy ${policy.toLowerCase()}.` };
  }
  return without(check, `_dmarc.${domain} has no DMARC record.`);
}

function lookUpOf({ edge, tenant }: AnyCall): LookUp {
  return async (name) => {
    const nowMs = edge.clock.monotonic();
    const known = kept.get(name);
    if (known !== undefined && known.untilMs > nowMs) return known.answer;
    const answer = await edge.lookUpTxt(tenant, name).catch((error: unknown) => {
      if (error instanceof FaultError) return { answer: 'failed', reason: 'overloaded' } as const;
      throw error;
    });
    if (answer.answer === 'failed') return answer;
    if (kept.size >= keptMax) kept.clear();
    kept.set(name, {
      answer,
      untilMs: nowMs + (answer.answer === 'records' ? recordsKeptMs : noneKeptMs),
    });
    return answer;
  };
}
