// What reports say of an app's sender domains, by UTC day. Bounded whatever strangers send: what
// has no room in a day is added to the sources and reporters without a name.

import { addSource, type DmarcSource, sourceKey } from './aggregate.ts';
import { type DmarcEntry, type DmarcSummary, type DmarcTotals, dmarcDaysMax } from './protocol.ts';

/** Of a day and domain. */
const reportsOfDayMax = 200;
const orgsMax = 50;
const sourcesMax = 200;
/** In an answer. */
const shownMax = 100;

interface Reporter {
  readonly reports: number;
  readonly messages: number;
}

interface DmarcDay {
  readonly ids: Set<string>;
  /** By name; the empty name is of those that have no room. */
  readonly reporters: Map<string, Reporter>;
  readonly sources: Map<string, DmarcSource>;
}

export type DmarcSnapshot = readonly {
  readonly domain: string;
  readonly day: number;
  readonly ids: readonly string[];
  readonly reporters: readonly (readonly [org: string, Reporter])[];
  readonly sources: readonly DmarcSource[];
}[];

/** An app's. */
export class DmarcDays {
  readonly #domains = new Map<string, Map<number, DmarcDay>>();

  /** Whether a report counts already. */
  has(domain: string, day: number, id: string): boolean {
    return this.#domains.get(domain)?.get(day)?.ids.has(id) ?? false;
  }

  isFull(domain: string, day: number): boolean {
    return (this.#domains.get(domain)?.get(day)?.ids.size ?? 0) >= reportsOfDayMax;
  }

  fold({ domain, day: number, id, org, sources }: DmarcEntry): void {
    const day = this.#dayOf(domain, number);
    day.ids.add(id);
    const messages = sources.reduce((sum, { count }) => sum + count, 0);
    const name = day.reporters.has(org) || day.reporters.size < orgsMax ? org : '';
    const known = day.reporters.get(name) ?? { reports: 0, messages: 0 };
    day.reporters.set(name, {
      reports: known.reports + 1,
      messages: known.messages + messages,
    });
    for (const source of sources) addTo(day.sources, source);
  }

  /** Forgets domains that the app has no more. */
  keepOnly(domains: { has(domain: string): boolean }): void {
    for (const domain of this.#domains.keys())
      if (!domains.has(domain)) this.#domains.delete(domain);
  }

  summary(domain: string, days: number, today: number): DmarcSummary {
    const byDay = this.#domains.get(domain);
    const sources = new Map<string, DmarcSource>();
    const reporters = new Map<string, Reporter>();
    const numbers = Array.from({ length: days }, (_, i) => today - days + 1 + i);
    const totals = numbers.map((number) => {
      const day = byDay?.get(number);
      for (const source of day?.sources.values() ?? []) addSource(sources, source);
      for (const [org, more] of day?.reporters ?? []) {
        const known = reporters.get(org) ?? { reports: 0, messages: 0 };
        reporters.set(org, {
          reports: known.reports + more.reports,
          messages: known.messages + more.messages,
        });
      }
      return { day: number, ...totalsOf(day?.sources.values() ?? []) };
    });
    return {
      days: totals,
      reporters: [...reporters]
        .sort(([, one], [, other]) => other.messages - one.messages)
        .slice(0, shownMax)
        .map(([org, counts]) => ({ org: org === '' ? null : org, ...counts })),
      sources: [...sources.values()]
        .sort((one, other) => other.count - one.count)
        .slice(0, shownMax),
    };
  }

  snapshot(): DmarcSnapshot {
    return [...this.#domains].flatMap(([domain, days]) =>
      [...days].map(([day, { ids, reporters, sources }]) => ({
        domain,
        day,
        ids: [...ids],
        reporters: [...reporters],
        sources: [...sources.values()],
      })),
    );
  }

  static restore(from: DmarcSnapshot): DmarcDays {
    const kept = new DmarcDays();
    for (const { domain, day: number, ids, reporters, sources } of from) {
      const day = kept.#dayOf(domain, number);
      for (const id of ids) day.ids.add(id);
      for (const [org, counts] of reporters) day.reporters.set(org, counts);
      for (const source of sources) day.sources.set(sourceKey(source), source);
    }
    return kept;
  }

  /** Makes room by dropping the oldest. */
  #dayOf(domain: string, number: number): DmarcDay {
    const days = this.#domains.get(domain) ?? new Map<number, DmarcDay>();
    this.#domains.set(domain, days);
    const known = days.get(number);
    if (known !== undefined) return known;
    const day: DmarcDay = { ids: new Set(), reporters: new Map(), sources: new Map() };
    days.set(number, day);
    if (days.size > dmarcDaysMax + 2) days.delete(Math.min(...days.keys()));
    return day;
  }
}

function addTo(sources: Map<string, DmarcSource>, source: DmarcSource): void {
  const hasRoom = sources.size < sourcesMax || sources.has(sourceKey(source));
  if (hasRoom) addSource(sources, source);
  else addSource(sources, { ...source, ip: null, headerFrom: null });
}

function totalsOf(sources: Iterable<DmarcSource>): DmarcTotals {
  let messages = 0;
  let passed = 0;
  let quarantined = 0;
  let rejected = 0;
  for (const { count, dkimAligned, spfAligned, disposition } of sources) {
    messages += count;
    if (dkimAligned || spfAligned) passed += count;
    if (disposition === 'quarantine') quarantined += count;
    if (disposition === 'reject') rejected += count;
  }
  return { messages, passed, quarantined, rejected };
}
