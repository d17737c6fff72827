// Looks up TXT and CNAME records with c-ares, which uses no thread. An answer without
// records differs from no answer: only the former says something about a domain. Orgs take turns,
// because names are the tenants' and a name server that never answers takes ten seconds.

import { Resolver } from 'node:dns/promises';
import type { Tenant, TxtAnswer } from '../../actors/tenants/accounts/protocol.ts';
import type { Millis } from '../../engine/base/brand.ts';
import { OrgLine } from './org-line.ts';

/** Throw `overloaded` if the org's turn does not come in time: no answer about a domain. */
interface DnsLookups {
  readonly lookUpTxt: (tenant: Tenant, name: string) => Promise<TxtAnswer>;
  readonly lookUpCname: (tenant: Tenant, name: string) => Promise<TxtAnswer>;
}

interface TxtLookupOptions {
  /** `address` or `address:port`; absent: those of the system. */
  readonly servers?: readonly string[] | undefined;
  /** For one try at one server; the second takes twice as long. */
  readonly timeoutMs?: Millis;
  /** For all tries. */
  readonly deadlineMs?: Millis;
  /** How long a lookup may wait for its turn. */
  readonly waitMs?: Millis;
}

/** Lookups at once, and of one org. */
const lookupsMax = 64;
const lookupsOfOrgMax = 4;
/** Waiting lookups, and of one org: a check of a domain makes two. */
const waitingMax = 1_024;
const waitingOfOrgMax = 128;

/** A resolver's codes for a name without such records: RFC 8020, RFC 2308. */
const noRecords: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA']);

export function dnsLookups(options: TxtLookupOptions = {}): DnsLookups {
  const { waitMs = 15_000, ...resolving } = options;
  const line = new OrgLine(
    {
      runningMax: lookupsMax,
      runningOfOwnerMax: lookupsOfOrgMax,
      waitingMax,
      waitingOfOwnerMax: waitingOfOrgMax,
      waitMs,
    },
    'too many DNS lookups are waiting; nothing was checked, so try again',
  );
  return {
    lookUpTxt: (tenant, name) => line.run(tenant, () => lookUp(name, resolving, textsOf)),
    lookUpCname: (tenant, name) =>
      line.run(tenant, () => lookUp(name, resolving, (resolver, of) => resolver.resolveCname(of))),
  };
}

async function textsOf(resolver: Resolver, name: string): Promise<string[]> {
  return (await resolver.resolveTxt(name)).map((strings) => strings.join(''));
}

async function lookUp(
  name: string,
  options: TxtLookupOptions,
  ask: (resolver: Resolver, name: string) => Promise<string[]>,
): Promise<TxtAnswer> {
  const { servers, timeoutMs = 2_000, deadlineMs = 10_000 } = options;
  // One for each lookup: it notices a changed resolv.conf, and can be canceled alone.
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 });
  const deadline = setTimeout(() => resolver.cancel(), deadlineMs);
  try {
    if (servers !== undefined) resolver.setServers(servers);
    return { answer: 'records', texts: await ask(resolver, name) };
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    if (noRecords.has(code)) return { answer: 'none' };
    return { answer: 'failed', reason: code === 'ECANCELLED' ? 'ETIMEOUT' : code };
  } finally {
    clearTimeout(deadline);
  }
}
