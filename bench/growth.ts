// How the audience's figures grow: runs the other benches at three sizes, keeps their last lines in
// bench/.work/growth.json and draws bench/growth.svg. Half an hour at a million; only `--again`
// repeats a run, and `--draw` runs nothing.
// Run: npm run build && npx tsx bench/growth.ts [--sizes=10000,100000,1000000]
//   [--only=segments,memory] [--again] [--draw]

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { isAsked, textOption } from './support/options.ts';
import { type Panel, type Series, smallMultiples } from './support/small-multiples.ts';

type Summary = Readonly<Record<string, unknown>>;

/** By `bench size`. */
type Kept = Record<string, Summary>;

const root = fileURLToPath(new URL('../', import.meta.url));
const keptFile = fileURLToPath(new URL('./.work/growth.json', import.meta.url));
const picture = fileURLToPath(new URL('./growth.svg', import.meta.url));
const limitMs = 15 * 60_000;

/** The benches, with their arguments beside the number of people. */
const runs: Readonly<Record<string, readonly string[]>> = {
  segments: [],
  ingest: ['1000'],
  lanes: [],
  import: [],
  restart: [],
  export: [],
  memory: [],
};

const sizes = (textOption('sizes') ?? '10000,100000,1000000').split(',').map(Number);
if (sizes.some((size) => !Number.isInteger(size) || size < 1000))
  throw new Error('--sizes: expected numbers of people from 1,000 on, with commas between them');
const wanted = textOption('only')?.split(',') ?? Object.keys(runs);
for (const name of wanted)
  if (runs[name] === undefined)
    throw new Error(`--only: ${name} is none of ${Object.keys(runs).join(', ')}`);

const kept = readKept();
if (!isAsked('draw')) await runAll();
writeFileSync(picture, draw());
console.log(`drawn: ${picture}`);

async function runAll(): Promise<void> {
  for (const name of wanted) {
    // It measures and reports several sizes itself.
    const ofName = name === 'memory' ? sizes.slice(-1) : sizes;
    for (const size of ofName) {
      if (kept[`${name} ${size}`] !== undefined && !isAsked('again')) continue;
      console.log(`${name} with ${size.toLocaleString('en')} people`);
      kept[`${name} ${size}`] = await lastLineOf(name, size);
      mkdirSync(fileURLToPath(new URL('./.work/', import.meta.url)), { recursive: true });
      writeFileSync(keptFile, JSON.stringify(kept, null, 2));
    }
  }
}

function lastLineOf(name: string, size: number): Promise<Summary> {
  const file = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
  const child = spawn(
    process.execPath,
    ['--import=tsx', file, ...(runs[name] ?? []), `--people=${size}`],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const tooLong = setTimeout(() => child.kill('SIGKILL'), limitMs);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    process.stdout.write(chunk);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(tooLong);
      const line = output.trimEnd().split('\n').at(-1) ?? '';
      if (code !== 0) reject(new Error(`${name} ended with code ${code}`));
      else resolve(JSON.parse(line) as Summary);
    });
  });
}

function readKept(): Kept {
  return existsSync(keptFile) ? (JSON.parse(readFileSync(keptFile, 'utf8')) as Kept) : {};
}

function series(
  bench: string,
  figure: string,
  label: string,
  tone: Series['tone'],
  factor = 1,
): Series {
  const points = sizes.flatMap((size): [number, number][] => {
    const value = kept[`${bench} ${size}`]?.[figure];
    return typeof value === 'number' ? [[size, value * factor]] : [];
  });
  return { label, tone, points };
}

/** The engine's own memory in MB, by the sizes of the bench's largest run. */
function memorySeries(): Series {
  const summary = kept[`memory ${sizes.at(-1)}`];
  const measured = (summary?.['sizes'] ?? {}) as Readonly<
    Record<string, { readonly people: number; readonly anonymousBytes: number }>
  >;
  const points = Object.values(measured)
    .filter(({ people }) => sizes.includes(people))
    .sort((a, b) => a.people - b.people)
    .map(({ people, anonymousBytes }) => [people, anonymousBytes / 1e6] as const);
  return { label: 'own', tone: 'own', points };
}

const flat = (label: string, value: number) => ({ label, at: () => value });

function questionPanels(): Panel[] {
  return [
    {
      title: 'Count, seven nested leaves',
      unit: 'ms',
      series: [
        series('segments', 'nestedPostgresMs', 'PostgreSQL', 'other'),
        series('segments', 'nestedWallMs', 'over HTTP', 'own'),
        series('segments', 'nestedCompiledMs', 'compiler', 'second'),
      ],
      targets: [flat('target 2', 2)],
    },
    {
      title: 'Three times within 30 days',
      unit: 'ms',
      series: [
        series('segments', 'countingPostgresMs', 'PostgreSQL', 'other'),
        series('segments', 'countingWallMs', 'over HTTP', 'own'),
        series('segments', 'countingCompiledMs', 'compiler', 'second'),
      ],
      targets: [flat('target 10', 10)],
    },
    {
      title: 'One person, one filter',
      unit: 'ns',
      series: [series('segments', 'onePersonNs', 'nested', 'own')],
      targets: [flat('target 1k', 1000)],
    },
  ];
}

function serverPanels(): Panel[] {
  const memory = memorySeries();
  const [least] = memory.points;
  // The engine before the first person, estimated from the smallest size.
  const idleMb = least === undefined ? 0 : Math.max(0, least[1] - (least[0] * 600) / 1e6);
  return [
    {
      title: 'Events in, 1,000 a request',
      unit: 'events/s',
      series: [series('ingest', 'eventsPerSecond1000', 'taken', 'own')],
      targets: [flat('target 400k', 400_000)],
    },
    {
      title: 'Transactional beside them, p99',
      unit: 'ms',
      series: [
        series('lanes', 'busyP99Ms', 'busy', 'own'),
        series('lanes', 'aloneP99Ms', 'alone', 'second'),
      ],
      targets: [flat('target 20', 20)],
    },
    {
      title: 'Bulk import over HTTP',
      unit: 'rows/s',
      series: [
        series('import', 'newRowsPerSecond', 'new', 'own'),
        series('import', 'knownRowsPerSecond', 'known', 'second'),
      ],
      targets: [flat('target 40k', 40_000)],
    },
    {
      title: 'Memory of the engine',
      unit: 'MB',
      series: [memory],
      targets: [{ label: '600 B each', at: (people) => idleMb + (people * 600) / 1e6 }],
    },
    {
      title: 'Start to ready',
      unit: 's',
      series: [
        series('restart', 'tailWarmMs', 'with tail', 'second', 1 / 1000),
        series('restart', 'checkpointWarmMs', 'no tail', 'own', 1 / 1000),
      ],
      targets: [flat('target 2', 2)],
    },
    {
      title: 'Export of everybody',
      unit: 's',
      series: [
        series('export', 'csvSeconds', 'CSV', 'own'),
        series('export', 'jsonlSeconds', 'JSON Lines', 'second'),
      ],
      targets: [{ label: 'target 20', at: (people) => (20 * people) / 1e6 }],
    },
  ];
}

function draw(): string {
  const day = new Date().toISOString().slice(0, 10);
  const foot = `By number of people, both axes logarithmic. Drawn ${day}; ${availableParallelism()} cores, Node ${process.versions.node}, load generator on the same machine.`;
  return smallMultiples([...questionPanels(), ...serverPanels()], sizes, foot);
}
