// Time to count a filter's matches: over HTTP, by the compiler in one thread, and by PostgreSQL
// with fitting indexes. One condition of each kind, seven nested, "three times within 30 days", and
// one person against a filter. Every answer must equal PostgreSQL's.
// Run: npm run build && npx tsx bench/segments.ts [--people=1000000] [--asks=100] [--fresh]
//   [--no-postgres]

import { audienceOf, matches, personTest } from '../actors/audiences/segments/evaluate.ts';
import type { Filter } from '../actors/audiences/segments/filter.ts';
import { dayMs, type Millis } from '../engine/base/brand.ts';
import { seededRng } from '../engine/base/rng.ts';
import { foldedTraits } from './audience/compiled.ts';
import { type Audience, copyOf, keptAudience, peopleAsked } from './audience/directory.ts';
import { countStatement, filters, leavesOf, namedTargets } from './audience/filters.ts';
import { fillPostgres, readingClient } from './audience/postgres-audience.ts';
import { answeredAtOnce } from './audience/scene.ts';
import { engage } from './support/engage.ts';
import { acceptOnly } from './support/loads.ts';
import { isAsked, median, numberOption, printSummary, quantile } from './support/options.ts';
import { makePostgres } from './support/postgres.ts';

interface Row {
  readonly filter: Filter;
  /** Measured by the caller, and reported by the answer, in ms. */
  wallMs: number[];
  tookMs: number[];
  /** The last HTTP answer, and two instants around it. */
  counted: { readonly count: number; readonly fromMs: Millis; readonly toMs: Millis };
  compiledMs: number[];
  /** The compiler's answers as of now and as of later. */
  compiledCount: number;
  laterCount: number;
  onePersonNs: number;
  /** The same with the filter prepared once. */
  preparedNs: number;
  postgresMs: number[];
}

const asks = numberOption('asks', 100);
const compiledRuns = 30;
const postgresRuns = 3;
const onePersonAsks = 1_000_000;
/** Time limit per filter: expensive ones run less often. */
const perFilterMs = 3_000;
/** Also compared this long after the last event: today nobody is old enough to be inactive. */
const laterDays = 10;

const audience = await keptAudience(peopleAsked());
const copy = await copyOf(audience);
const asOfMs = Date.now();
const laterMs = audience.builtMs + laterDays * dayMs;
const rows = new Map(
  Object.entries(filters).map(([name, filter]): [string, Row] => [
    name,
    {
      filter,
      wallMs: [],
      tookMs: [],
      counted: { count: 0, fromMs: 0, toMs: 0 },
      compiledMs: [],
      compiledCount: 0,
      laterCount: 0,
      onePersonNs: 0,
      preparedNs: 0,
      postgresMs: [],
    },
  ]),
);
try {
  await askServer(copy);
  await askCompiler(copy);
} finally {
  copy.remove();
}
if (!isAsked('no-postgres')) await askPostgres(audience);
print();

async function askServer({ path, appId, key, people }: Audience): Promise<void> {
  const server = await engage(acceptOnly, { dataDir: path });
  try {
    for (const [name, row] of rows) {
      const saved = await server.call(
        'POST',
        `/v1/apps/${appId}/segments`,
        { name, filter: row.filter },
        key,
      );
      if (saved.status !== 201) throw new Error(`${name}: ${JSON.stringify(saved.body)}`);
      const { id } = saved.body as { readonly id: string };
      // Counts are read from history until the columns are complete.
      await answeredAtOnce(server, `/v1/apps/${appId}/segments/${id}/count`, key);
      const endMs = performance.now() + perFilterMs;
      for (let ask = 0; ask < asks + 10 && (ask < 3 || performance.now() < endMs); ask++) {
        const fromMs = Date.now();
        const startedMs = performance.now();
        const answer = await server.call(
          'GET',
          `/v1/apps/${appId}/segments/${id}/count`,
          undefined,
          key,
        );
        const wallMs = performance.now() - startedMs;
        const { count, total, tookMs } = answer.body as Readonly<Record<string, number>>;
        if (answer.status !== 200 || total !== people || tookMs === undefined)
          throw new Error(`${name}: ${answer.status} ${JSON.stringify(answer.body)}`);
        row.counted = { count: count ?? Number.NaN, fromMs, toMs: Date.now() };
        if (ask < 2) continue; // warms the code
        row.wallMs.push(wallMs);
        row.tookMs.push(tookMs);
      }
    }
  } finally {
    await server.stop();
  }
}

async function askCompiler(folded: Audience): Promise<void> {
  const traits = await foldedTraits(folded, Object.values(filters));
  const rng = seededRng(7, 'one person');
  const someone = Uint32Array.from(
    { length: onePersonAsks },
    () => (rng.uint32() / 2 ** 32) * traits.next,
  );
  for (const [name, row] of rows) {
    const { filter } = row;
    const endMs = performance.now() + perFilterMs;
    for (let run = 0; run < compiledRuns && (run < 3 || performance.now() < endMs); run++) {
      const startedMs = performance.now();
      row.compiledCount = audienceOf(filter, traits, asOfMs).count();
      if (run > 0) row.compiledMs.push(performance.now() - startedMs);
    }
    row.laterCount = audienceOf(filter, traits, laterMs).count();
    const everybody = audienceOf(filter, traits, asOfMs);
    for (let person = 0; person < traits.next; person++)
      if (matches(filter, traits, person, asOfMs) !== everybody.test(person))
        throw new Error(`${name}: person ${person} is in the set or matches alone, not both`);
    const startedMs = performance.now();
    let found = 0;
    for (const person of someone) if (matches(filter, traits, person, asOfMs)) found++;
    row.onePersonNs = ((performance.now() - startedMs) * 1e6) / onePersonAsks;
    const matched = found;
    const test = personTest(filter, traits, asOfMs);
    const preparedMs = performance.now();
    for (const person of someone) if (test(person)) found--;
    row.preparedNs = ((performance.now() - preparedMs) * 1e6) / onePersonAsks;
    if (found !== 0) throw new Error(`${name}: the prepared test finds others`);
    const expected = someone.reduce((sum, person) => sum + Number(everybody.test(person)), 0);
    if (matched !== expected) throw new Error(`${name}: ${matched} of them match, not ${expected}`);
  }
}

async function askPostgres(filled: Audience): Promise<void> {
  const postgres = makePostgres();
  try {
    await postgres.start();
    const seconds = await fillPostgres(postgres, filled);
    console.log(`${postgres.version}, filled in ${seconds.toFixed(0)} s`);
    const client = await readingClient(postgres);
    const count = async (filter: Filter, atMs: Millis) => {
      const answer = await client.query(countStatement(filter, atMs));
      return (answer.rows[0] as { readonly count: number }).count;
    };
    for (const [name, row] of rows) {
      const mustAgree = (compiled: number, found: number) => {
        if (found !== compiled)
          throw new Error(`${name}: the compiler says ${compiled}, PostgreSQL ${found}`);
      };
      for (let run = 0; run < postgresRuns; run++) {
        const startedMs = performance.now();
        const found = await count(row.filter, asOfMs);
        row.postgresMs.push(performance.now() - startedMs);
        mustAgree(row.compiledCount, found);
      }
      mustAgree(row.laterCount, await count(row.filter, laterMs));
      // The server's instant lies between these two; hardly anyone enters or leaves meanwhile.
      const { counted } = row;
      const between = [
        await count(row.filter, counted.fromMs),
        await count(row.filter, counted.toMs),
      ];
      if (between[0] === between[1] && counted.count !== between[0])
        throw new Error(`${name}: the server says ${counted.count}, PostgreSQL ${between[0]}`);
    }
    await client.end();
  } finally {
    await postgres.remove();
  }
}

function print(): void {
  console.log(
    `${audience.people.toLocaleString('en')} people, ${audience.events.toLocaleString('en')} events; medians in ms (over HTTP: as the caller sees it, 99th percentile, tookMs)`,
  );
  const summary: Record<string, Readonly<Record<string, number | null>>> = {};
  for (const [name, row] of rows) {
    const wallMs = median(row.wallMs);
    const compiledMs = median(row.compiledMs);
    const postgresMs = row.postgresMs.length === 0 ? null : median(row.postgresMs);
    const times = (ours: number) => (postgresMs === null ? null : postgresMs / ours);
    summary[name] = {
      leaves: leavesOf(row.filter),
      count: row.counted.count,
      wallMs,
      wallP99Ms: quantile(row.wallMs, 0.99),
      tookMs: median(row.tookMs),
      compiledMs,
      onePersonNs: row.onePersonNs,
      preparedNs: row.preparedNs,
      postgresMs,
      ratio: times(wallMs),
      compiledRatio: times(compiledMs),
    };
    const shown = (value: number | null, digits = 2) =>
      (value === null ? '–' : value.toFixed(digits)).padStart(9);
    console.log(
      `  ${name.padEnd(24)} ${String(row.counted.count).padStart(8)} match; HTTP ${shown(wallMs)} ${shown(quantile(row.wallMs, 0.99))} ${shown(median(row.tookMs))}; compiler ${shown(compiledMs, 3)}, one person ${shown(row.onePersonNs, 0)} ns, prepared ${shown(row.preparedNs, 0)}; PostgreSQL ${shown(postgresMs, 1)}: ${shown(times(wallMs), 1)} × over HTTP, ${shown(times(compiledMs), 0)} × compiler`,
    );
  }
  const nested = summary[namedTargets.nested];
  const counting = summary[namedTargets.counting];
  printSummary('segments', {
    people: audience.people,
    events: audience.events,
    nestedWallMs: nested?.['wallMs'] ?? null,
    nestedTookMs: nested?.['tookMs'] ?? null,
    nestedCompiledMs: nested?.['compiledMs'] ?? null,
    nestedPostgresMs: nested?.['postgresMs'] ?? null,
    nestedRatio: nested?.['ratio'] ?? null,
    countingWallMs: counting?.['wallMs'] ?? null,
    countingTookMs: counting?.['tookMs'] ?? null,
    countingCompiledMs: counting?.['compiledMs'] ?? null,
    countingPostgresMs: counting?.['postgresMs'] ?? null,
    countingRatio: counting?.['ratio'] ?? null,
    onePersonNs: nested?.['onePersonNs'] ?? null,
    filters: summary,
  });
}
