// The code's own shape: which folder may import which, where clocks and chance may be read, what
// nothing reaches any more. A rule that has exceptions lists them here with their reason, and an
// exception that is no longer needed fails too, so the lists stay as short as the truth.
// docs/STYLE.md and docs/ARCHITECTURE.md say why the rules are there.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import t from 'tap';
import { exportedNames } from './support/exported-names.ts';
import { houseNumbers } from './support/house-numbers.ts';
import { longFunctions } from './support/long-functions.ts';
import { root } from './support/places.ts';
import { decisionFiles, directOf, reachOf, routeFiles } from './support/reach.ts';
import {
  circles,
  importGraph,
  reachable,
  readSources,
  type SourceFile,
} from './support/source-graph.ts';
import {
  farReachingRoutes,
  longFunctionsAllowed,
  sharedNamesAllowed,
  testOnlyExportsAllowed,
  unusedExportsLeft,
  upwardImportsAllowed,
  wideDecisions,
} from './support/tidy-exceptions.ts';

const product = ['engine', 'storage', 'actors', 'http'] as const;
const folders = [
  ...product,
  'looks',
  'files',
  'dashboard',
  'sandbox',
  'cli',
  'sdk',
  'bench',
  'test',
] as const;
const sources = readSources(folders);
const files = [...sources.values()];
const graph = importGraph(sources);
const imports = [...graph].flatMap(([from, found]) => [...found].map((to) => [from, to] as const));
const exported = exportedNames(sources);

/** Which folders a folder may import beside itself. */
const layers: Readonly<Record<(typeof folders)[number], readonly string[]>> = {
  engine: [],
  storage: ['engine'],
  actors: ['engine', 'storage'],
  http: ['engine', 'actors'],
  looks: [],
  files: [],
  dashboard: ['looks', 'files'],
  sandbox: ['engine'],
  cli: ['engine', 'storage', 'actors', 'http', 'files', 'sandbox', 'sdk'],
  sdk: ['actors', 'http'],
  bench: folders,
  test: folders,
};

/** Files of http/ that put the process together, and so open what lies below the actors. */
const composing = new Set([
  'http/process/engine.ts',
  'http/process/threads.ts',
  'http/process/admin-socket.ts',
]);

/** Packages that one place owns: who else imports them goes round its care. Patterns of paths. */
const owners: Readonly<Record<string, readonly RegExp[]>> = {
  lmdb: [/^storage\//, /^bench\/(storage-|durable-|partition-log)/],
  'uWebSockets.js': [/^http\/server\/uws-library\.ts$/],
  undici: [
    /^actors\/channels\/outbound\/(outbound|http-call)\.ts$/,
    /^storage\/peers\/peer-client\.ts$/,
    /^(bench|test)\//,
  ],
  nodemailer: [/^actors\/channels\//, /^(bench|test)\//],
  'web-push': [/^actors\/channels\/webpush\//, /^(bench|test)\//],
  http_ece: [/^test\//],
  'firebase-admin': [/^test\/actors\/channels\/fcm\//],
  autocannon: [/^bench\//],
  liquidjs: [/^actors\/content\/liquid\//, /^(bench|test)\//],
  entities: [
    /^actors\/channels\/port\/html-text\.ts$/,
    /^dashboard\/preview\/entities\.ts$/,
    /^sandbox\/email\/mail-html\.ts$/,
  ],
  'libphonenumber-js': [
    /^actors\/channels\/addresses\/phone-number\.ts$/,
    /^cli\/import\/phone-number\.ts$/,
  ],
  'temporal-polyfill': [
    /^actors\/sending\/gate\/offset-spans\.ts$/,
    /^actors\/programs\/campaigns\/recurrence\.ts$/,
  ],
  stripe: [/^actors\/tenants\/billing\/stripe\//],
  sax: [/^http\/bounces\/dmarc-xml\.ts$/],
  'disposable-email-domains-js': [/^actors\/channels\/email\/disposable-domains\.ts$/],
  papaparse: [/^files\/csv-pieces\.ts$/],
  pg: [/^storage\/postgres\//, /^(bench|test)\//],
  '@nats-io': [/^storage\/jetstream\//, /^(bench|test)\//],
  piscina: [/^engine\/thread\/pool\.ts$/],
  pino: [/^engine\/observe\/log\.ts$/],
  'prom-client': [/^engine\/observe\/metrics\.ts$/],
  'smtp-server': [/^http\/bounces\//, /^sandbox\//, /^test\//],
  mailparser: [/^http\/bounces\//, /^sandbox\//, /^test\//],
  '@modelcontextprotocol': [/^http\/mcp\//, /^cli\/mcp/, /^test\//],
};

/**
 * What makes two runs differ. `new Date(ms)` is arithmetic and allowed; `new Date()` reads the
 * clock.
 */
const bans: Readonly<Record<string, RegExp>> = {
  'wall clock': /\bDate\.now\b|\bnew Date\(\s*\)/,
  'monotonic clock':
    /\bperformance\.(?:now|timeOrigin)\b|\bprocess\.(?:hrtime|uptime)\b|'node:perf_hooks'/,
  chance: /\bMath\.random\b|\brandom(?:Bytes|UUID|Int|FillSync|Fill)\s*\(|\bgetRandomValues\b/,
  timer: /(?<![.\w])(?:setTimeout|setInterval|setImmediate)\b|'node:timers/,
  environment: /\bprocess\.(?:env|argv)\b/,
  'end of process': /(?<![.\w])process\.(?:exit|abort|kill)\b/,
};

/** The houses of actors/ in the order of their imports; `runtime` may import all. */
const houses = [
  'channels',
  'tenants',
  'people',
  'content',
  'events',
  'audiences',
  'sending',
  'programs',
  'insight',
  'integrations',
  'runtime',
];

/**
 * The houses of http/ in the order of their imports. Those on one line are ways in, and may import
 * each other; a file beside them may be imported by all.
 */
const edgeHouses = [
  ['server'],
  ['call'],
  ['routes', 'compat', 'ingest', 'live', 'mcp', 'track', 'bounces', 'dashboard', 'web-sdk'],
  ['describe'],
  ['peers'],
  ['process'],
];

/** Files of http/ that are in no house. */
const outsideHouses = ['http/version.ts'];

/**
 * The floors of dashboard/, in the order of their imports. Folders of one floor stand beside each
 * other; the contract with the server is below all of them.
 */
const floors: readonly (readonly string[])[] = [
  ['api/generated.ts'],
  ['words', 'time', 'style'],
  ['api'],
  ['ui'],
  ['kit'],
  ['canvas', 'chart', 'editor', 'filter', 'person', 'preview', 'relays', 'story'],
  ['screens'],
  ['frame'],
  ['inbox'],
  ['main.tsx', 'first.ts', 'early.ts', 'build.mjs'],
];

/**
 * Exports that a loader asks for by name: a command of the CLI, the entry of a thread, and a test
 * that runs many files; the types that programs import from the client. One is for the compiler
 * alone.
 */
const contractNames =
  /^cli\/[^/]+\.ts command$|^dashboard\/.*words\.ts words$|-entry\.ts start$|reader-thread\.ts start$|together\.ts together$|^sdk\/node\/src\/methods\.generated\.ts |^sdk\/web\/src\/engage\.ts Engage$|^sdk\/(react-native|capacitor)\/src\/engage\.ts engageFor|catalog\.ts NamesWithoutChannel$/;

/** What the tables of a README must name. */
const tables: Readonly<Record<string, () => readonly string[]>> = {
  'README.md': () => [...folders, 'docs'].map((folder) => `${folder}/`),
  'http/README.md': () => [
    ...namesIn('http', '/'),
    ...namesIn('http', '.ts'),
    ...namesIn('http/call', '/'),
  ],
  'storage/README.md': () => [...namesIn('storage', '.ts'), ...namesIn('storage/tables', '.ts')],
  'actors/README.md': () => [
    ...namesIn('actors', '.ts'),
    ...namesIn('actors/runtime', '.ts'),
    ...namesIn('actors', '/').flatMap((house) => namesIn(house.slice(0, -1), '/')),
  ],
};

/** Where the world is let in, and why there. */
const exceptions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'engine/time/clock.ts': {
    'wall clock': 'the clock itself',
    'monotonic clock': 'the clock itself',
  },
  'engine/base/plain-msgpack.ts': { environment: 'the only switch that msgpackr has for it' },
  'engine/base/rng.ts': { chance: 'the source of randomness itself' },
  'engine/observe/log.ts': { 'wall clock': 'the time of a log line, which nothing reads back' },
  'engine/thread/link.ts': { timer: 'frames leave once a tick; a simulator hands in its own' },
  'engine/thread/tick-end.ts': { timer: 'the end of a tick, for link.ts and the HTTP server' },
  'engine/thread/host.ts': {
    timer: 'the inline host, as above',
    'end of process': 'a worker thread that was closed',
  },
  'engine/cluster/primary.ts': {
    'monotonic clock': 'the primary has no actors: it times restarts',
    timer: 'as above',
  },
  'engine/thread/scheduler.ts': { timer: 'turns and wakes of a thread are scheduled here' },
  'actors/runtime/host.ts': { timer: 'a shard thread, outside every actor' },
  'actors/runtime/dispatch-links.ts': { timer: 'as above' },
  'actors/runtime/thread-questions.ts': { timer: 'as above' },
  'actors/runtime/cluster/time.ts': { timer: 'as above' },
  'actors/runtime/shard-reads.ts': { timer: 'as above' },
  'actors/runtime/open-partition.ts': { 'end of process': 'fail-stop' },
  'actors/sending/dispatch/host.ts': { timer: 'a dispatch thread, outside every actor' },
  'actors/channels/outbound/outbound.ts': { timer: 'the grace at a close' },
  'actors/channels/outbound/http-call.ts': { timer: 'time limits of calls to the outside' },
  'actors/channels/apns/call.ts': { timer: 'time limit of a call' },
  'actors/channels/apns/connection.ts': { timer: 'time limits of connecting and of a ping' },
  'actors/channels/apns/connections.ts': {
    timer: 'quiet connections, and the grace at a close',
  },
  'actors/channels/email/smtp-connection.ts': { timer: 'time limits of a conversation' },
  'actors/channels/email/smtp-sender.ts': { timer: 'time limits and idle connections' },
  'actors/channels/email/smtp-socket.ts': { timer: 'time limit of connecting' },
  'actors/channels/relays/relay-accounts.ts': { timer: 'idle accounts' },
  'actors/channels/webpush/encryption.ts': {
    chance: 'a fresh salt for each message, as RFC 8188 asks',
  },
};

t.test('imports go one way: engine, storage, actors, http', async (t) => {
  const wrong = imports.filter(([from, to]) => {
    const above = folderOf(from);
    const below = folderOf(to);
    if (above === below || !(above in layers)) return false;
    if (composing.has(from) && below === 'storage') return false;
    return !layers[above as keyof typeof layers].includes(below);
  });
  t.strictSame(wrong.map(arrow), []);
});

t.test(
  'http speaks to actors by protocol, and leaves their rules and adapters alone',
  async (t) => {
    const wrong = imports
      .filter(
        ([from, to]) =>
          folderOf(from) === 'http' && folderOf(to) === 'actors' && !composing.has(from),
      )
      .filter(([, to]) =>
        /\/(decide|apply|pump|report|accept)\.ts$|^actors\/runtime\/(machine|state|snapshot|host)\.ts$/.test(
          to,
        ),
      );
    t.strictSame(wrong.map(arrow), []);
  },
);

t.test(
  'nothing in the product imports the sandbox, and nothing but tests imports test code',
  async (t) => {
    const wrong = imports.filter(([from, to]) => {
      if (folderOf(to) === 'sandbox')
        return !['sandbox', 'cli', 'bench', 'test'].includes(folderOf(from));
      if (folderOf(to) === 'test') return folderOf(from) !== 'test' && !isRigBench(from, to);
      return folderOf(to) === 'bench' && !['bench', 'test'].includes(folderOf(from));
    });
    t.strictSame(wrong.map(arrow), []);
  },
);

t.test('a package is imported only by the code that owns it', async (t) => {
  const wrong: string[] = [];
  for (const { path, references } of files) {
    for (const { specifier } of references) {
      const allowed = owners[packageOf(specifier)];
      if (
        allowed !== undefined &&
        !allowed.some((pattern) => pattern.test(path)) &&
        !path.startsWith('test/')
      ) {
        wrong.push(`${path} → ${specifier}`);
      }
    }
  }
  t.strictSame(wrong, []);
});

/** Packages that no source imports, and what uses them. */
const unimportedPackages: Readonly<Record<string, string>> = {
  '@biomejs/biome': 'npm run lint',
  '@fontsource-variable/inter': 'dashboard/build.mjs copies its files',
  '@types/node': 'the types of Node',
  postject: 'deploy/single.mjs runs it',
  typescript: 'npm run types',
};

t.test('every package is imported, or listed with what uses it', async (t) => {
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as Record<'dependencies' | 'devDependencies', Readonly<Record<string, string>>>;
  const imported = new Set(
    files.flatMap(({ references }) => references.map(({ specifier }) => fullPackageOf(specifier))),
  );
  for (const { text } of files)
    for (const [, name = ''] of text.matchAll(/(?:\brequire|\bresolve|\))\('([^'.][^']*)'\)/g))
      imported.add(fullPackageOf(name));
  const idlePackages = Object.keys({ ...dependencies, ...devDependencies }).filter(
    (name) => !imported.has(name) && !imported.has(name.replace(/^@types\//, '')),
  );
  t.strictSame(
    idlePackages.filter((name) => unimportedPackages[name] === undefined),
    [],
  );
  t.strictSame(idle(unimportedPackages, new Set(idlePackages)), [], 'no longer needed');
});

t.test('the native reader of msgpackr stays off, whoever imports it first', async (t) => {
  const loaded = /^import (?!type ).*? from '(?:lmdb|msgpackr)'/m;
  const wrong = files
    .map(({ path, text }) => ({
      path,
      off: text.indexOf("/plain-msgpack.ts'"),
      on: loaded.exec(text),
    }))
    .filter(({ off, on }) => on !== null && (off < 0 || off > on.index));
  t.strictSame(
    wrong.map(({ path }) => path),
    [],
  );
});

t.test('no two files import each other in a circle', async (t) => {
  t.strictSame(
    circles(graph).map((circle) => [...circle].sort().join(' ↔ ')),
    [],
  );
});

t.test('no two areas or rooms of actors/ import each other in a circle', async (t) => {
  const areas = new Map<string, Set<string>>();
  for (const [from, to] of imports) {
    const [above, below] = [areaOf(from), areaOf(to)];
    if (above === undefined || below === undefined || above === below) continue;
    areas.set(above, (areas.get(above) ?? new Set()).add(below));
  }
  t.strictSame(
    circles(areas).map((circle) => circle.join(' → ')),
    [],
  );
});

t.test(
  'engine and actors read no clock, no chance, no environment, and set no timers',
  async (t) => {
    const wrong: string[] = [];
    for (const { path, code } of files) {
      if (!path.startsWith('engine/') && !path.startsWith('actors/')) continue;
      for (const [ban, pattern] of Object.entries(bans)) {
        if (exceptions[path]?.[ban] !== undefined) continue;
        const line = lineOf(code, pattern);
        if (line !== undefined) wrong.push(`${path}:${line}: ${ban}`);
      }
    }
    t.strictSame(wrong, []);
  },
);

t.test('every exception from the bans is still needed', async (t) => {
  const idle: string[] = [];
  for (const [path, allowed] of Object.entries(exceptions)) {
    const source = sources.get(path);
    if (source === undefined) continue; // the file is gone, and with it the exception's effect
    for (const ban of Object.keys(allowed)) {
      if (lineOf(source.code, bans[ban] as RegExp) === undefined) idle.push(`${path}: ${ban}`);
    }
  }
  t.strictSame(idle, []);
});

t.test('every import of a file finds it', async (t) => {
  const missing: string[] = [];
  for (const { path, references } of files) {
    for (const { specifier, files: found, kind } of references) {
      if (!specifier.startsWith('.') || found.length > 0 || kind === 'url') continue;
      if (!existsSync(join(root, posix.join(posix.dirname(path), specifier))))
        missing.push(`${path} → ${specifier}`);
    }
  }
  t.strictSame(missing, []);
});

t.test('every file is reached from a command, a test, a bench or a page', async (t) => {
  const entries = files.filter(isEntry).map(({ path }) => path);
  const reached = reachable(sources, entries);
  t.strictSame(
    files.map(({ path }) => path).filter((path) => !reached.has(path)),
    [],
  );
});

/** Files that a route may reach, types included; that a file with decisions may import itself. */
const filesMax = { route: 90, decision: 20 };

for (const [what, most, counted, allowed] of [
  ['a route', filesMax.route, reachOf(sources, routeFiles(sources)), farReachingRoutes],
  ['a decision', filesMax.decision, directOf(sources, decisionFiles(sources)), wideDecisions],
] as const)
  t.test(`${what} is understood with few files`, async (t) => {
    const wrong = counted.filter(([path, count]) => count > (allowed[path] ?? most));
    t.strictSame(
      wrong.map(([path, count]) => `${path}: ${count} files`),
      [],
    );
    const counts = new Map(counted);
    const idle = Object.keys(allowed).filter((path) => (counts.get(path) ?? 0) <= most);
    t.strictSame(idle, [], 'exceptions that are no longer needed');
  });

t.test('a source file opens with what it is for, and has no name that says nothing', async (t) => {
  const wrong: string[] = [];
  for (const { path, text } of files) {
    const needsHead = !path.startsWith('test/'); // a unit test's path says what it is about
    if (needsHead && !/^(#![^\n]*\n)?\/\/ /.test(text)) wrong.push(`${path}: no opening comment`);
    const name = posix.basename(path).replace(/\.(test\.|generated\.)?(tsx?|mjs|js)$/, '');
    if (/(^|-)(utils?|helpers?|common|misc|manager|service)($|-)/.test(name))
      wrong.push(`${path}: the name says nothing`);
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) wrong.push(`${path}: not in kebab-case`);
    if (name === 'index' && path !== 'http/routes/index.ts') wrong.push(`${path}: an index file`);
  }
  t.strictSame(wrong, []);
});

t.test('nothing is left to be done later', async (t) => {
  const marks = /\b(TODO|FIXME|XXX|HACK)\b/;
  const wrong = files.filter(({ path, text }) => path !== 'test/tidy.test.ts' && marks.test(text));
  t.strictSame(
    wrong.map(({ path }) => path),
    [],
  );
});

t.test('a comment has lines of at most 100 characters', async (t) => {
  const wrong: string[] = [];
  for (const { path, text, code } of files) {
    const bare = code.split('\n');
    for (const [i, line] of text.split('\n').entries()) {
      if ([...line].length > 100 && line.trimEnd() !== (bare[i] ?? '').trimEnd())
        wrong.push(`${path}:${i + 1}: ${[...line].length} characters`);
    }
  }
  t.strictSame(wrong, []);
});

t.test('the numbers of the house are no larger than they were', async (t) => {
  for (const { name, is, most, of } of houseNumbers(sources))
    t.ok(is <= most, `${name}: ${is}, at most ${most}`, { of });
});

t.test('a function has at most 70 lines', async (t) => {
  const wrong: string[] = [];
  const used = new Set<string>();
  const textOf = (path: string, line: number) =>
    sources.get(path)?.text.split('\n')[line - 1] ?? '';
  for (const { path, line, name, lines } of longFunctions(folders, 70, textOf)) {
    const code = sources.get(path)?.code;
    if (code === undefined) continue; // a page's own script
    if (path.startsWith('test/') && registersTests(code, line, lines)) continue;
    const allowed = longFunctionsAllowed[`${path} ${name}`];
    used.add(`${path} ${name}`);
    if (allowed === undefined || lines > allowed)
      wrong.push(`${path}:${line}: ${name} has ${lines} lines, not ${allowed ?? 70} at most`);
  }
  t.strictSame(wrong, []);
  t.strictSame(idle(longFunctionsAllowed, used), [], 'exceptions that are no longer needed');
});

t.test('a name is exported by one file', async (t) => {
  const places = new Map<string, string[]>();
  for (const { path, line, name } of exported) {
    const scope = scopeOf(path);
    if (scope === undefined || contractNames.test(`${path} ${name}`)) continue;
    const key = `${scope}: ${name}`;
    places.set(key, [...(places.get(key) ?? []), `${path}:${line}`]);
  }
  const twice = [...places].filter(([, found]) => found.length > 1);
  t.strictSame(
    twice.filter(([name]) => sharedNamesAllowed[name] === undefined).map((one) => one.join(' ')),
    [],
  );
  t.strictSame(idle(sharedNamesAllowed, new Set(twice.map(([name]) => name))), []);
});

t.test('an export is used by a file that is not a test', async (t) => {
  const wrong: string[] = [];
  const used = new Set<string>();
  const left = new Map<string, number>();
  for (const { path, line, name, isType, users } of exported) {
    if (isTest(path) ? users.length > 0 : users.some((user) => !isTest(user))) continue;
    if (contractNames.test(`${path} ${name}`) || (isType && users.length > 0)) continue;
    used.add(`${path} ${name}`);
    if (testOnlyExportsAllowed[`${path} ${name}`] !== undefined) continue;
    const folder = Object.keys(unusedExportsLeft).find((one) => path.startsWith(one));
    if (folder === undefined) wrong.push(`${path}:${line}: ${name}`);
    else left.set(folder, (left.get(folder) ?? 0) + 1);
  }
  t.strictSame(wrong, []);
  t.strictSame(idle(testOnlyExportsAllowed, used), [], 'exceptions that are no longer needed');
  for (const [folder, most] of Object.entries(unusedExportsLeft)) {
    const count = left.get(folder) ?? 0;
    t.ok(count > 0, `${folder} has none left: it needs no entry`);
    t.ok(count <= most, `${folder} has ${count}, at most ${most} were left`);
  }
});

t.test('a house of actors/ imports only those before it', async (t) => {
  const upward = imports
    .filter(([from, to]) => {
      const [house, other] = [houseOf(from), houseOf(to)];
      return house !== undefined && other !== undefined && other > house;
    })
    .map(arrow);
  t.strictSame(
    [...new Set(upward)].filter((one) => !upwardImportsAllowed.includes(one)),
    [],
  );
  t.strictSame(
    upwardImportsAllowed.filter((one) => !upward.includes(one)),
    [],
    'exceptions that are no longer needed',
  );
});

t.test('an adapter imports no list of channels', async (t) => {
  const wrong = imports.filter(
    ([from, to]) =>
      /^actors\/channels\/[^/]+\//.test(from) &&
      /^actors\/channels\/(?!channel-ids\.ts)[^/]+\.ts$/.test(to),
  );
  t.strictSame(wrong.map(arrow), []);
});

t.test('a house of http/ imports only those before it', async (t) => {
  const upward = imports.filter(([from, to]) => {
    const [house, other] = [edgeHouseOf(from), edgeHouseOf(to)];
    return house !== undefined && other !== undefined && other > house;
  });
  t.strictSame([...new Set(upward.map(arrow))], []);
});

t.test('a file of http/ is in a house', async (t) => {
  const outside = files
    .map(({ path }) => path)
    .filter((path) => edgeHouseOf(path) === -1)
    .sort();
  t.strictSame(outside, outsideHouses);
});

t.test('a floor of dashboard/ imports only those below it', async (t) => {
  const known = files.filter(({ path }) => path.startsWith('dashboard/'));
  t.strictSame(
    known.filter(({ path }) => floorOf(path) < 0).map(({ path }) => path),
    [],
    'on no floor',
  );
  const upward = imports.filter(
    ([from, to]) =>
      from.startsWith('dashboard/') && to.startsWith('dashboard/') && floorOf(to) > floorOf(from),
  );
  t.strictSame([...new Set(upward.map(arrow))], []);
});

/** What only its own area imports: its memory, its folds, and itself as one value. */
const insideOfArea = /^(actors\/(?!runtime\/)(?:[^/]+\/)+)(?:memory|apply|area)\.ts$/;

t.test("an area sees the memory of another by that one's reads.ts alone", async (t) => {
  const wrong = imports.filter(([from, to]) => {
    const area = insideOfArea.exec(to)?.[1];
    return area !== undefined && /^actors\/(?!runtime\/)/.test(from) && !from.startsWith(area);
  });
  t.strictSame([...new Set(wrong.map(arrow))], []);
});

t.test('the tables of the READMEs name every folder and file they are about', async (t) => {
  const missing: string[] = [];
  for (const [page, paths] of Object.entries(tables)) {
    const text = readFileSync(join(root, page), 'utf8');
    for (const path of paths()) {
      const name = page.startsWith('README') ? path : path.slice(posix.dirname(page).length + 1);
      const short = name.replace(/^(runtime|tables)\/(?=.*\.ts$)/, '').replace(/^tables\//, '');
      if (![name, short].some((one) => text.includes(`\`${one}\``)))
        missing.push(`${page}: ${name}`);
    }
  }
  t.strictSame(missing, []);
});

/** The bench of a cluster starts the engines and nats-servers that the rig has. */
function isRigBench(from: string, to: string): boolean {
  return from === 'bench/cluster.ts' && to.startsWith('test/cluster/rig/');
}

/**
 * Commands, tests, benches, and what only package.json, a page or a file made by test/groups.mjs
 * names.
 */
function isEntry({ path }: SourceFile): boolean {
  if (
    /^(cli\/(main\.ts|single\/executable\.ts|[^/]+\.mjs)|sdk\/generate\/generate\.ts|test\/fixtures\/[^/]+\.mjs)$/.test(
      path,
    )
  )
    return true;
  if (
    /^dashboard\/(build\.mjs|main\.tsx|first\.ts|early\.ts|inbox\/(try\/)?main\.tsx|frame\/first-paint\.tsx|editor\/blocks\/no-cheerio\.ts)$/.test(
      path,
    )
  )
    return true;
  if (/^sdk\/web\/(build\.mjs|src\/(engage|engage-script|sw|inbox\/element)\.ts)$/.test(path))
    return true;
  if (/^sdk\/(react-native|capacitor)\/src\/engage\.ts$/.test(path)) return true;
  return (
    /^bench\/[^/]+\.(ts|mjs)$/.test(path) ||
    /^test\/.*(\.test|\/simulate|\/together|\/pictures|\/redraw|\/draw-readme|\/rig\/run|torture\/[^/]+)\.ts$/.test(
      path,
    )
  );
}

function arrow([from, to]: readonly [string, string]): string {
  return `${from} → ${to}`;
}

function folderOf(path: string): string {
  return path.slice(0, path.indexOf('/'));
}

/** Houses whose loose files compose their rooms, so that both import each other. */
const roomyHouses = new Set(['channels', 'events']);

/** `actors/people/audience` for a file in it: an area, or a room of one. */
function areaOf(path: string): string | undefined {
  const [, house = '', area] = /^actors\/([^/]+)\/(?:([^/]+)\/)?/.exec(path) ?? [];
  if (house === '' || (area === undefined && roomyHouses.has(house))) return undefined;
  return house === 'runtime' || area === undefined ? `actors/${house}` : `actors/${house}/${area}`;
}

/** The place of a file's house in their order; -1 for what all of them may import. */
function houseOf(path: string): number | undefined {
  if (!path.startsWith('actors/')) return undefined;
  const [, house = ''] = path.split('/');
  return houses.indexOf(house);
}

/** The place of a file's house in http/; -1 for a file that is in none. */
function edgeHouseOf(path: string): number | undefined {
  const [folder, house = ''] = path.split('/');
  return folder === 'http' ? edgeHouses.findIndex((one) => one.includes(house)) : undefined;
}

/** The floor of a file of dashboard/, counted from the ground; -1 for one that is on none. */
function floorOf(path: string): number {
  const within = path.slice('dashboard/'.length);
  const [folder = ''] = within.split('/');
  const own = floors.findIndex((names) => names.includes(within));
  return own >= 0 ? own : floors.findIndex((names) => names.includes(folder));
}

/**
 * Where a name must be the only one of its kind. A stand-in and the client for servers have names
 * of their own, and so does a screen, which no other may import; a route is named for its
 * operation, as what answers it may be.
 */
function scopeOf(path: string): string | undefined {
  if (path.startsWith('test/')) return undefined;
  if (path.startsWith('sandbox/')) return 'sandbox';
  if (path.startsWith('files/')) return 'files';
  const screen = /^dashboard\/screens\/[^/]+\//.exec(path)?.[0];
  if (screen !== undefined) return screen;
  if (path.startsWith('dashboard/')) return 'dashboard';
  if (path.startsWith('sdk/node/')) return 'client';
  if (path.startsWith('sdk/web/')) return 'web SDK';
  return path.startsWith('http/routes/') ? 'routes' : 'product';
}

function isTest(path: string): boolean {
  return path.startsWith('test/');
}

/** Whether a function of a test is a test, or a list of them: a story, not a rule. */
function registersTests(code: string, line: number, lines: number): boolean {
  const body = code.split('\n').slice(line - 1, line - 1 + lines);
  const isTest = /^\s*async \((?:t|test)\) => \{$/.test(body[0] ?? '');
  return isTest || body.some((one) => /^\s*(?:await )?(?:t|test|tap)\.test\(/.test(one));
}

/** The entries of a list of exceptions that nothing used. */
function idle(allowed: Readonly<Record<string, unknown>>, used: ReadonlySet<string>): string[] {
  return Object.keys(allowed).filter((entry) => !used.has(entry));
}

/** Paths of what is in a folder: files that end in this, or with `/` its folders. */
function namesIn(folder: string, ending: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => (ending === '/' ? entry.isDirectory() : entry.name.endsWith(ending)))
    .map(({ name }) => `${folder}/${name}${ending === '/' ? '/' : ''}`)
    .sort();
}

/** With its scope: `@codemirror/view`. */
function fullPackageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function packageOf(specifier: string): string {
  return specifier.split('/')[0] ?? specifier;
}

function lineOf(code: string, pattern: RegExp): number | undefined {
  const at = code.search(pattern);
  return at < 0 ? undefined : code.slice(0, at).split('\n').length;
}
