// The documents against the code: links and names lead somewhere, tables are complete, and the
// commands of the README run. Checks go both ways: what is gone from the code must go from the
// page.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import t from 'tap';
import { faultTable } from '../actors/faults.ts';
import { metricRows } from '../actors/runtime/metrics.ts';
import { providerNames, variables } from '../http/process/config.ts';
import { fileNameOf } from '../http/process/secret-files.ts';
import { routes } from '../http/routes/index.ts';
import { root } from './support/places.ts';
import { startServer } from './support/server.ts';
import { filesBelow, readSources } from './support/source-graph.ts';

const folders = [
  'engine',
  'storage',
  'actors',
  'http',
  'looks',
  'files',
  'sandbox',
  'cli',
  'sdk',
  'deploy',
  'bench',
  'test',
  'docs',
];
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...folders.flatMap((folder) => filesBelow(folder)).filter((path) => path.endsWith('.md')),
];
const textOf = new Map(pages.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
const operations = textOf.get('docs/OPERATIONS.md') ?? '';
/** What a newcomer runs, in one shell. */
const walked = `${textOf.get('README.md') ?? ''}\n${textOf.get('docs/TOUR.md') ?? ''}`;

t.test(
  'every link in a document leads to a file, and to a heading where it names one',
  async (t) => {
    const broken: string[] = [];
    for (const [page, text] of textOf) {
      for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^[a-z]+:/.test(target)) continue;
        const [file = '', heading] = target.split('#');
        const path = file === '' ? page : posix.join(posix.dirname(page), file);
        if (!existsSync(join(root, path))) broken.push(`${page}: ${target}`);
        else if (heading !== undefined && !headingsOf(path).has(heading))
          broken.push(`${page}: ${target}`);
      }
    }
    t.strictSame(broken, []);
  },
);

t.test('every file that a document names exists', async (t) => {
  const missing: string[] = [];
  for (const [page, text] of textOf) {
    for (const [, name = ''] of text.matchAll(
      /(?<![\w/.<-])((?:[a-z][\w-]*\/)+[\w.-]+\.(?:ts|mjs|js|md|json))\b/g,
    )) {
      if (name.startsWith('dist/')) continue;
      const places = [name, posix.join(posix.dirname(page), name)];
      if (!places.some((place) => existsSync(join(root, place)))) missing.push(`${page}: ${name}`);
    }
  }
  t.strictSame(missing, []);
});

t.test(
  'the README has every top folder, and each area and folder of actors/ is in its README',
  async (t) => {
    t.strictSame(
      folders.filter((folder) => !walked.includes(`| \`${folder}/\` |`)),
      [],
    );
    const areas = filesBelow('actors').flatMap(
      (path) => /^actors\/((?:[^/]+\/){1,2})[^/]+$/.exec(path)?.[1] ?? [],
    );
    const houses = areas
      .map((area) => area.replace(/[^/]+\/$/, ''))
      .filter((house) => house !== '');
    t.strictSame(missingAndGone(cells('actors/README.md', 'folder'), [...areas, ...houses]), {});
  },
);

/** Tables of files that are complete: the page, what the column's head says, what it lists. */
const listings: readonly (readonly [page: string, head: string, files: readonly string[]])[] = [
  ['actors/README.md', 'file in `runtime/`', namesIn('actors/runtime')],
  ['actors/README.md', 'file in `actors/`', namesIn('actors')],
  ['storage/README.md', 'file', namesIn('storage')],
  ['storage/README.md', 'file in `tables/`', namesIn('storage/tables')],
  ...['actor', 'thread', 'base', 'columns', 'cluster', 'log'].map(
    (folder) =>
      ['engine/README.md', `file in \`${folder}/\``, namesIn(`engine/${folder}`)] as const,
  ),
];

t.test('every table of files in a README names all of them, and none that is gone', async (t) => {
  for (const [page, head, files] of listings)
    t.strictSame(missingAndGone(cells(page, head), files), {}, `${page}: ${head}`);
  const rest = ['time', 'observe'].flatMap((folder) =>
    namesIn(`engine/${folder}`).map((name) => `${folder}/${name}`),
  );
  t.strictSame(missingAndGone(cells('engine/README.md', 'file'), rest), {}, 'engine');
  const benches = namesIn('bench').filter((name) => !name.endsWith('.mjs'));
  const text = textOf.get('bench/README.md') ?? '';
  t.strictSame(
    benches.filter(
      (name) => !text.includes(`bench/${name}`) && !text.includes(`\`${name.slice(0, -3)}\``),
    ),
    [],
  );
});

t.test('the list of decisions has a row and a state for each page', async (t) => {
  const rows = [
    ...(textOf.get('docs/decisions/README.md') ?? '').matchAll(
      /^\| \[(\d{4})\]\(([\w.-]+)\) \| [^|]+ \| (?:holds|replaced by \d{4}) \|$/gm,
    ),
  ];
  const pagesThere = readdirSync(join(root, 'docs/decisions')).filter(
    (name) => name !== 'README.md',
  );
  t.strictSame(
    rows.map(([, , file]) => file),
    pagesThere.sort(),
  );
  for (const [, number = '', file = ''] of rows) t.ok(file.startsWith(`${number}-`), file);
  const numbers = rows.map(([, number]) => Number(number));
  const missing = Array.from({ length: Math.max(...numbers) }, (_, index) => index + 1)
    .filter((number) => !numbers.includes(number))
    .map((number) => String(number).padStart(4, '0'));
  t.strictSame(missing, ['0022', '0023'], 'the list says that these were never given');
});

t.test('the glossary has each word once', async (t) => {
  const words = [...(textOf.get('docs/GLOSSARY.md') ?? '').matchAll(/\*\*(.+?)\*\*/g)].map(
    ([, word = '']) => word.toLowerCase(),
  );
  t.strictSame(
    words.filter((word, place) => words.indexOf(word) !== place),
    [],
  );
  t.ok(words.length > 100);
});

t.test('documents use American spellings', async (t) => {
  const british =
    /\b(?:[a-z]*(?:organis|normalis|recognis|optimis|summaris|synchronis|authoris|analys)(?:e[ds]?|ing|ation)|[a-z]*(?:behaviou|colou|favou|honou|neighbou|flavou)r\w*|catalogue\w*|licence\w*|defence\w*|grey|centre\w*|cancelled|labelled|fulfil|enrols?|judgement|towards|whilst)\b/gi;
  const found: string[] = [];
  for (const [page, text] of textOf) {
    const prose = text.replace(/```[\s\S]*?```|`[^`\n]*`/g, '');
    for (const [word] of prose.matchAll(british)) found.push(`${page}: ${word}`);
  }
  t.strictSame(found, []);
});

t.test('every setting is in the operations page, and none that is not one', async (t) => {
  const settings = [
    ...Object.keys(variables),
    ...providerNames.map((name) => `ENGAGE_${name}_URL`),
    ...Object.entries(variables).flatMap(([name, one]) =>
      'secret' in one ? fileNameOf(name) : [],
    ),
  ];
  t.strictSame(
    settings.filter((name) => !operations.includes(`\`${name}\``)),
    [],
  );
  const named = mentions(/\bENGAGE_[A-Z_]+[A-Z]\b/g, ['README.md', 'docs/OPERATIONS.md']);
  const demo = new Set(['ENGAGE_APP', 'ENGAGE_KEY']); // a shell's, from data/demo.env
  t.strictSame(
    named.filter((name) => !settings.includes(name) && !demo.has(name)),
    [],
  );
});

t.test('every metric is in the operations page, and none that does not exist', async (t) => {
  const metrics = metricRows.map(({ name }) => name);
  t.strictSame(
    metrics.filter((name) => !operations.includes(`\`${name}\` |`)),
    [],
  );
  t.strictSame(
    mentions(/\bengage_[a-z_]+\b/g, pages).filter((name) => !metrics.includes(name)),
    [],
  );
});

t.test('every refusal is in the operations page with its status', async (t) => {
  t.strictSame(
    Object.entries(faultTable)
      .filter(([code, { status }]) => !operations.includes(`| \`${code}\` | ${status} |`))
      .map(([code]) => code),
    [],
  );
});

t.test(
  'every name of a log line is in the operations page, and none that is never written',
  async (t) => {
    const sources = readSources(['engine', 'storage', 'actors', 'http', 'sandbox', 'cli']);
    const written = new Set(
      [...sources.values()].flatMap(({ code }) =>
        [...code.matchAll(/\bevt: '([a-z_.]+)'/g)].map(([, evt]) => evt ?? ''),
      ),
    );
    const table = operations.slice(
      operations.indexOf('## Logs'),
      operations.indexOf('## Refusals'),
    );
    const listed = new Set(
      [...table.matchAll(/^\| `([a-z_]+\.[a-z_]+)` \|/gm)].map(([, evt]) => evt ?? ''),
    );
    t.strictSame([...listed].sort(), [...written].sort());
  },
);

t.test('every route that the README and the tour call exists', async (t) => {
  const known = ['/e', ...routes.map(({ path }) => path)].map(
    (path) => new RegExp(`^${path.replace(/:[a-zA-Z]+/g, '[^/]+')}$`),
  );
  const called = [...walked.matchAll(/127\.0\.0\.1:8400(\/[^"'\s>?]+)/g)].map(
    ([, path]) => path ?? '',
  );
  t.strictSame(
    called.filter(
      (path) => !/^\/(docs|dashboard)\b/.test(path) && !known.some((pattern) => pattern.test(path)),
    ),
    [],
  );
  t.ok(called.length > 5);
});

t.test('the commands of the README and the tour work, and the first message arrives', async (t) => {
  const server = await startServer(t);
  // made once it serves
  await eventually(async () => existsSync(join(server.dataDir, 'demo.env')) || undefined);
  const blocks = [...walked.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block ?? '');
  // The chapters of campaigns and journeys are walked by a test of their own
  // (`e2e/campaign-walk.test.ts`).
  const first = blocks.filter(
    (block) =>
      !block.includes('/journeys') &&
      (block.includes('/notifications') ||
        block.includes('/v1/orgs') ||
        block.includes('/e ') ||
        block.includes('import-endpoints')),
  );
  t.equal(first.length, 6);
  // One shell, as the reader's: a later block uses what an earlier one has set.
  const script = first
    .join('')
    .replaceAll('http://127.0.0.1:8400', server.url)
    .replaceAll('data/', `${server.dataDir}/`)
    .replaceAll('node dist/cli/main.js', 'node --import tsx cli/main.ts');
  t.notMatch(script, /[a-z]_…/, 'there is nothing to fill in');
  const run = spawnSync('sh', ['-e', '-c', script], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ENGAGE_URL: server.url },
  });
  t.equal(run.status, 0, run.stderr);
  t.notMatch(run.stdout, /"error"/);
  const ids = run.stdout.match(/"id":"(ntf_[0-9a-z]{26})"/g) ?? [];
  t.equal(ids.length, 2, 'the call answers the id, and the next one finds it');
  t.equal(ids[0], ids[1]);
  const counts = [...run.stdout.matchAll(/"count":(\d+),"total":(\d+)/g)];
  t.same(
    counts.map(([, count, total]) => [count, total]),
    [
      ['0', '132'],
      ['1', '132'],
    ],
    'a segment has who came in by an event at once',
  );
  t.match(run.stdout, /"matches":true/);
  const id = ids[0]?.slice(6, -1);
  const inbox = await eventually(async () => {
    const answer = await fetch(`${server.sandboxUrl}/control/messages?sendId=${id}`);
    const { messages } = (await answer.json()) as { messages: { to: string; text: string }[] };
    return messages[0];
  });
  t.match(inbox, { to: 'ada@example.com', text: /^Hello Ada, parcel A-1042 has left\./ });
});

/** Names in the first column of a page's tables whose first head is this one. */
function cells(page: string, head: string): string[] {
  const tables = (textOf.get(page) ?? '')
    .split(/\n\n+/)
    .filter((part) => part.startsWith(`| ${head} |`));
  return tables.flatMap((table) =>
    table
      .split('\n')
      .slice(2)
      .flatMap((row) => (row.split(' | ')[0] ?? '').match(/(?<=`)[^`]+(?=`)/g) ?? [])
      .filter((name) => name !== ', '),
  );
}

/** The source files that lie in a folder itself. */
function namesIn(folder: string): string[] {
  return readdirSync(join(root, folder)).filter((name) => /\.(ts|mjs|wat)$/.test(name));
}

function missingAndGone(listed: readonly string[], real: readonly string[]) {
  const missing = [...new Set(real)].filter((name) => !listed.includes(name));
  const gone = listed.filter((name) => !real.includes(name));
  return { ...(missing.length > 0 && { missing }), ...(gone.length > 0 && { gone }) };
}

/** Distinct matches in some pages. */
function mentions(pattern: RegExp, inPages: readonly string[]): string[] {
  return [...new Set(inPages.flatMap((page) => (textOf.get(page) ?? '').match(pattern) ?? []))];
}

/** The anchors of a page's headings, as code hosts make them. */
function headingsOf(path: string): ReadonlySet<string> {
  const headings = (textOf.get(path) ?? '').match(/^#+ .*$/gm) ?? [];
  return new Set(
    headings.map((line) =>
      line
        .replace(/^#+ /, '')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replace(/\s/g, '-'),
    ),
  );
}

/** Asks again until there is an answer, for ten seconds at most. */
async function eventually<Value>(
  ask: () => Promise<Value | undefined>,
): Promise<Value | undefined> {
  for (let tries = 0; tries < 200; tries++) {
    const value = await ask();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return undefined;
}
