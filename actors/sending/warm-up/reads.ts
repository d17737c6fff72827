// What other areas read of warm-ups, and what their folds count.

import { domainOf, emailAddress } from '../../channels/email/address.ts';
import type { EmailDomainRecord } from '../../tenants/accounts/records.ts';
import type { MailboxesReads } from '../mailboxes/reads.ts';
import type { WarmUpRecord } from './warm-up.ts';
import type { WarmUps } from './warm-ups.ts';

export interface WarmUpReads {
  readonly warmUps: Pick<WarmUps, 'countOn' | 'get' | 'size'>;
}

export interface WarmUpFolds {
  readonly warmUps: Pick<WarmUps, 'count' | 'repeat'>;
}

/** What decides which domain an app's emails come from, and how warm it is. */
interface WarmingApp extends WarmUpReads {
  readonly settings: { readonly email: { readonly fromAddress?: string } };
  readonly emailDomains: ReadonlyMap<string, Pick<EmailDomainRecord, 'createdMs'>>;
}

/** The same with what tells the mailbox provider of an address. */
export type WarmingProviders = WarmingApp & MailboxesReads;

/** The warm-up of a domain; one of a domain that was deleted meanwhile is gone with it. */
export function warmUpOf(app: WarmingApp, domain: string): WarmUpRecord | undefined {
  const record = app.warmUps.get(domain);
  const kept = app.emailDomains.get(domain);
  return record !== undefined && kept !== undefined && kept.createdMs <= record.createdMs
    ? record
    : undefined;
}

/** The warm-up of the domain that the app sends from, whatever day it is. */
export function warmingNow(app: WarmingApp): WarmUpRecord | undefined {
  const domain = app.warmUps.size === 0 ? undefined : senderDomain(app);
  return domain === undefined ? undefined : warmUpOf(app, domain);
}

/** Whether the app sends from a domain. */
export function isFrom(app: Pick<WarmingApp, 'settings'>, domain: string): boolean {
  return senderDomain(app) === domain;
}

function senderDomain({ settings }: Pick<WarmingApp, 'settings'>): string | undefined {
  const { fromAddress } = settings.email;
  const checked = fromAddress === undefined ? undefined : emailAddress(fromAddress);
  return checked === undefined || 'problem' in checked ? undefined : domainOf(checked.value);
}
