// What clients used, counted again with sets of people from the durable log, and what parents were
// told about it: exact in the end, and nothing new about a month after the last word on it.

import type { TrackedFacts } from '../../actors/events/facts.ts';
import { countsInMonth } from '../../actors/events/ingest/names.ts';
import { factsOf } from '../../actors/runtime/facts.ts';
import type { AnyEntry } from '../../actors/runtime/protocols.ts';
import type { Entry } from '../../engine/actor/message.ts';
import { utcMonthOf } from '../../engine/time/utc-month.ts';
import { type Client, pause, persist } from './client.ts';
import type { Findings } from './invariants.ts';
import type { Model } from './model.ts';

type People = Parameters<TrackedFacts['resolve']>[0];

interface AppFact {
  readonly org: number;
  /** By month: who was active. */
  readonly months: Map<number, Set<number>>;
  readonly merged: Map<number, number>;
}

export class RollUpAudit {
  readonly #findings: Findings;
  readonly #apps = new Map<number, AppFact>();
  readonly #ids = new Map<number, string>();
  /** By client: the newest report that its parent took. */
  readonly #said = new Map<
    string,
    { readonly through: number; readonly rows: Map<number, string> }
  >();
  /** Reports that a parent took. */
  taken = 0;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  /** Months that a wrong clock had begun are reported again; bills wait for a right clock. */
  rebased(): void {
    this.#said.clear();
  }

  take(raw: Entry): void {
    const entry = raw as AnyEntry;
    if (entry.kind === 'org.created') this.#ids.set(entry.owner, entry.org.id);
    if (entry.kind === 'app.created')
      this.#apps.set(entry.owner, { org: entry.app.org, months: new Map(), merged: new Map() });
    const app = this.#apps.get(entry.owner);
    if (entry.kind === 'subscriber.merged' && app !== undefined) {
      app.merged.set(entry.person, entry.into);
      const people = app.months.get(utcMonthOf(entry.atMs));
      if (people?.delete(entry.person)) people.add(entry.into);
    }
    if (app !== undefined) this.#count(app, raw);
    if (entry.kind === 'client.reported') this.#reported(entry);
  }

  /** People of an org in a month, deleted apps included. */
  people(org: number, month: number): number {
    let count = 0;
    for (const app of this.#apps.values())
      if (app.org === org) count += app.months.get(month)?.size ?? 0;
    return count;
  }

  months(org: number): ReadonlySet<number> {
    const of = [...this.#apps.values()].filter((app) => app.org === org);
    return new Set(of.flatMap(({ months }) => [...months.keys()]));
  }

  idOf(org: number): string {
    return this.#ids.get(org) ?? '';
  }

  #count(app: AppFact, entry: Entry): void {
    const facts = factsOf(entry);
    const canonical = (person: number): number => {
      const into = app.merged.get(person);
      return into === undefined ? person : canonical(into);
    };
    facts.resolve({ canonical, aliasesOf: () => [] } as unknown as People);
    const rows = facts.rows();
    for (let row = 0; row < rows.count; row++) {
      if (!countsInMonth(rows.names[rows.nameIndex(row)] ?? '')) continue;
      if (facts.isCountedBefore(row)) continue;
      const month = utcMonthOf(facts.acceptedMs());
      const people = app.months.get(month) ?? new Set();
      app.months.set(month, people.add(canonical(rows.person(row))));
    }
  }

  #reported({ clientId, report }: Extract<AnyEntry, { kind: 'client.reported' }>): void {
    this.taken++;
    const before = this.#said.get(clientId);
    const rows = new Map(report.months.map(([month, row]) => [month, JSON.stringify(row)]));
    for (const [month, row] of rows)
      this.#findings.expect(
        before === undefined || month >= before.through || before.rows.get(month) === row,
        'last_word_holds',
        () => `${clientId} said its last word on ${month}: ${before?.rows.get(month)}, now ${row}`,
      );
    this.#said.set(clientId, { through: report.through, rows });
  }
}

/** How long a parent may be behind: a minute, or as long as a clock that jumped holds time. */
const behindMs = 60_000;
const behindClockMs = 30 * 3_600_000;

/** Every parent says of each client what a recount gives. */
export function* checkRollUp(model: Model, audit: RollUpAudit, findings: Findings): Client {
  const [parent, ...clients] = model.orgs;
  if (!model.faults.clients || parent === undefined) return;
  const stepMs = model.faults.clockJumps ? 10 * 60_000 : 5_000;
  const lastMs = model.faults.clockJumps ? behindClockMs : behindMs;
  for (let waitedMs = 0; ; waitedMs += stepMs) {
    let wrong: string | undefined;
    for (const { ordinal } of clients)
      for (const month of audit.months(ordinal)) {
        const { reply } = yield* persist(parent.ordinal, 'org.meter', { month });
        if (!reply.ok) continue;
        const mau = reply.value.clients.find(({ orgId }) => orgId === audit.idOf(ordinal))?.mau;
        const people = audit.people(ordinal, month);
        if (mau !== people) wrong = `org ${ordinal}: ${mau} in ${month}, a recount gives ${people}`;
      }
    if (wrong === undefined) return;
    if (waitedMs >= lastMs) return findings.add('roll_up_exact', wrong);
    yield* pause(stepMs);
  }
}
