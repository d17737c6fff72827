// What the DNS says of the sender of an app's mails: whether receivers can believe it. Records are
// kept for five minutes, since an author looks at a review again and again; that there are none
// for half a minute, since an author may be setting them.

import { domainOf, emailAddress } from '../../../actors/channels/email/address.ts';
import type { MailCheck, MailCheckState } from '../../../actors/channels/email/mail-checks.ts';
import { dkimRecordName, judgeDkimRecord } from '../../../actors/tenants/accounts/dkim-record.ts';
import type {
  AccountsProtocol,
  EmailDomainView,
  TxtAnswer,
} from '../../../actors/tenants/accounts/protocol.ts';
import { platformAddress } from '../../../actors/tenants/accounts/sender.ts';
import type { RelaysProtocol } from '../../../actors/tenants/relays/protocol.ts';
import { minuteMs, type Ordinal } from '../../../engine/base/brand.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import type { Call } from '../../call/call.ts';

type AnyCall = Call<unknown, unknown>;
type LookUp = (name: string) => Promise<TxtAnswer>;

const recordsKeptMs = 5 * minuteMs;
const noneKeptMs = minuteMs / 2;
const keptMax = 2_000;
const kept = new Map<string, { readonly answer: TxtAnswer; readonly untilMs: number }>();

export async function senderChecks(call: AnyCall, app: Ordinal): Promise<MailCheck[]> {
  const accounts = call.to<AccountsProtocol>(app);
  const [settings, domains, relays] = await Promise.all([
    accounts.ask('settings.read', {}),
    accounts.ask('email_domain.list', {}),
    call.to<RelaysProtocol>(app).ask('relay.list', {}),
  ]);
  const { platformDomain, bounceDomain } = call.edge.config;
  const platform = platformAddress(app, platformDomain);
  const given = emailAddress(settings.email.fromAddress ?? platform ?? '');
  if ('problem' in given) return [without('sender', 'The app has no sender address.')];
  const address = given.value;
  const domain = domainOf(address);
  const own = domains.find((one) => one.domain === domain);
  const signedBy = own?.state === 'verified' ? own : undefined;
  const isPlatform = domain === platformDomain;
  const lookUp = lookUpOf(call);
  const relay = relays.find(
    ({ enabled, channel, streams }) =>
      enabled && channel === 'email' && streams.includes('marketing'),
  );
  const [dkim, spf, dmarc] = await Promise.all([
    dkimCheck(signedBy, isPlatform, lookUp),
    spfCheck(bounceDomain ?? domain, relay?.name, lookUp),
    dmarcCheck(domain, lookUp),
  ]);
  return [senderCheck(address, own, isPlatform), dkim, spf, dmarc, alignment(domain, dkim.state)];
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

/** Of the domain of the return path, where receivers look for it. */
async function spfCheck(
  domain: string,
  relay: string | undefined,
  lookUp: LookUp,
): Promise<MailCheck> {
  const check = 'spf';
  if (relay !== undefined)
    return {
      check,
      state: 'unknown',
      about: `The relay “${relay}” sends with its own return path.`,
    };
  const answer = await lookUp(domain);
  if (answer.answer === 'failed')
    return { check, state: 'unknown', about: `The DNS gave no answer for ${domain}.` };
  const texts = answer.answer === 'records' ? answer.texts : [];
  const records = texts.filter((text) => /^v=spf1(?:\s|$)/i.test(text));
  if (records.length > 1) return without(check, `${domain} has ${records.length} SPF records.`);
  return records.length === 1
    ? { check, state: 'done', about: `${domain}, the return path, has an SPF record.` }
    : without(check, `${domain}, the return path, has no SPF record.`);
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

/** Our signatures are of exactly the sender's domain (`mail-key.ts`). */
function alignment(domain: string, signed: MailCheckState): MailCheck {
  const check = 'alignment';
  if (signed === 'not_done')
    return without(check, `No signature of ${domain} says that the emails come from there.`);
  const about = `Emails are signed by ${domain}, the domain of the sender.`;
  return { check, state: signed, about };
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
