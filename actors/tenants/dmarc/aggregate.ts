// An aggregate report of a receiver about a sender domain (RFC 7489, appendix C), as far as it is
// kept. Anybody can mail one: it is what its sender says, and no signature proves who that is.

import type { Millis } from '../../../engine/base/brand.ts';

export const dispositions = ['none', 'quarantine', 'reject'] as const;
type Disposition = (typeof dispositions)[number];

export const authResults = ['pass', 'fail', 'none'] as const;
export type AuthResult = (typeof authResults)[number];

/** Mails that came from one address with the same results. */
export interface DmarcSource {
  /** `null`: of several addresses, or none that can be read. */
  readonly ip: string | null;
  /** The domain in their From header; `null`: of several. */
  readonly headerFrom: string | null;
  /** Whether any signature, and the envelope sender, passed for whatever domain. */
  readonly dkim: AuthResult;
  readonly spf: AuthResult;
  /** The same for the domain of the From header: either makes DMARC pass. */
  readonly dkimAligned: boolean;
  readonly spfAligned: boolean;
  /** What the receiver did with them. */
  readonly disposition: Disposition;
  readonly count: number;
}

export interface DmarcReport {
  /** Of the receiver, as it says. */
  readonly org: string;
  readonly reportId: string;
  readonly fromMs: Millis;
  readonly toMs: Millis;
  /** The domain whose policy was found. */
  readonly domain: string;
  /** At most `reportSourcesMax`, the largest first. */
  readonly sources: readonly DmarcSource[];
}

export const reportSourcesMax = 64;

/** The largest sources, and all others together by what became of them. */
export function largestSources(all: Iterable<DmarcSource>, most: number): readonly DmarcSource[] {
  const sorted = [...all].sort((one, other) => other.count - one.count);
  const named = sorted.filter(({ ip }) => ip !== null);
  // As many as there are ways to end.
  const room = Math.max(1, most - 2 * 2 * dispositions.length);
  const rest = new Map<string, DmarcSource>();
  const others = [...named.slice(room), ...sorted.filter(({ ip }) => ip === null)];
  for (const source of others) addSource(rest, { ...source, ...nowhere(source) });
  return [...named.slice(0, room), ...rest.values()];
}

function nowhere({ dkimAligned, spfAligned }: DmarcSource) {
  return {
    ip: null,
    headerFrom: null,
    dkim: dkimAligned ? ('pass' as const) : ('none' as const),
    spf: spfAligned ? ('pass' as const) : ('none' as const),
  };
}

/** Adds to the source with the same address and results, or as a new one. */
export function addSource(sources: Map<string, DmarcSource>, more: DmarcSource): void {
  const key = sourceKey(more);
  const known = sources.get(key);
  sources.set(key, known === undefined ? more : { ...known, count: known.count + more.count });
}

export function sourceKey(source: DmarcSource): string {
  const { ip, headerFrom, dkim, spf, dkimAligned, spfAligned, disposition } = source;
  return [ip, headerFrom, dkim, spf, dkimAligned, spfAligned, disposition].join('|');
}
