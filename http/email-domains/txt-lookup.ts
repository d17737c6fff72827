// Looks up TXT records with c-ares, which follows CNAMEs and uses no thread. An answer without
// records differs from no answer: only the former says something about a domain.

import { Resolver } from 'node:dns/promises';
import type { TxtAnswer } from '../../actors/tenants/accounts/protocol.ts';

type TxtLookup = (name: string) => Promise<TxtAnswer>;

interface TxtLookupOptions {
  /** `address` or `address:port`; absent: those of the system. */
  readonly servers?: readonly string[] | undefined;
  /** For one try at one server; the second takes twice as long. */
  readonly timeoutMs?: number;
  /** For all tries. */
  readonly deadlineMs?: number;
}

/** Lookups at once; more are not answered. */
const lookupsMax = 64;

/** A resolver's codes for a name without such records: RFC 8020, RFC 2308. */
const noRecords: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA']);

export function txtLookup(options: TxtLookupOptions = {}): TxtLookup {
  const { servers, timeoutMs = 2_000, deadlineMs = 10_000 } = options;
  let lookups = 0;
  return async (name) => {
    if (lookups >= lookupsMax) return { answer: 'failed', reason: 'EBUSY' };
    lookups++;
    // One for each lookup: it notices a changed resolv.conf, and can be canceled alone.
    const resolver = new Resolver({ timeout: timeoutMs, tries: 2 });
    const deadline = setTimeout(() => resolver.cancel(), deadlineMs);
    try {
      if (servers !== undefined) resolver.setServers(servers);
      const records = await resolver.resolveTxt(name);
      return { answer: 'records', texts: records.map((strings) => strings.join('')) };
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException;
      if (noRecords.has(code)) return { answer: 'none' };
      return { answer: 'failed', reason: code === 'ECANCELLED' ? 'ETIMEOUT' : code };
    } finally {
      clearTimeout(deadline);
      lookups--;
    }
  };
}
