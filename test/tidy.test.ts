// The code's own shape: which folder may import which, where clocks and chance may be read, what
// nothing reaches any more. A rule that has exceptions lists them here with their reason, and an
// exception that is no longer needed fails too, so the lists stay as short as the truth.
// docs/STYLE.md and docs/ARCHITECTURE.md say why the rules are there.

import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import t from 'tap';
import { root } from './support/places.ts';
import { circles, reachable, readSources, type SourceFile } from './support/source-graph.ts';

const product = ['engine', 'storage', 'actors', 'http'] as const;
const folders = [...product, 'sandbox', 'cli', 'bench', 'test'] as const;
const sources = readSources(folders);
const files = [...sources.values()];

/** Which folders a folder may import beside itself. */
const layers: Readonly<Record<(typeof folders)[number], readonly string[]>> = {
  engine: [],
  storage: ['engine'],
  actors: ['engine', 'storage'],
  http: ['engine', 'actors'],
  sandbox: ['engine'],
  cli: ['engine', 'storage', 'actors', 'http', 'sandbox'],
  bench: folders,
  test: folders,
};

/** Files of http/ that put the process together, and so open what lies below the actors. */
const composing = new Set(['http/engine.ts', 'http/admin-socket.ts']);

/** Packages that one place owns: who else imports them goes round its care. Patterns of paths. */
const owners: Readonly<Record<string, readonly RegExp[]>> = {
  lmdb: [/^storage\//, /^bench\/(storage-|durable-)/],
  'uWebSockets.js': [/^http\/uws-(server|exchange)\.ts$/],
  'uWebSockets.js-next': [/^http\/uws-(server|exchange)\.ts$/],
  undici: [/^actors\/channels\/outbound\/outbound\.ts$/, /^(bench|test)\//],
  'firebase-admin': [/^actors\/channels\//, /^test\//],
  nodemailer: [/^actors\/channels\//, /^(bench|test)\//],
  'web-push': [/^(bench|test)\//],
  liquidjs: [/^actors\/content\//, /^(bench|test)\//],
  'libphonenumber-js': [/^actors\/channels\/address\.ts$/, /^cli\/import\/phone-number\.ts$/],
  'temporal-polyfill': [
    /^actors\/sending\/policy\/offset-spans\.ts$/,
    /^actors\/programs\/campaigns\/recurrence\.ts$/,
  ],
  piscina: [/^engine\/thread\/pool\.ts$/],
  pino: [/^engine\/observe\/log\.ts$/],
  'prom-client': [/^engine\/observe\/metrics\.ts$/],
  'smtp-server': [/^http\/bounces\//, /^sandbox\//, /^test\//],
  mailparser: [/^http\/bounces\//, /^sandbox\//, /^test\//],
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

/** Where the world is let in, and why there. */
const exceptions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'engine/time/clock.ts': {
    'wall clock': 'the clock itself',
    'monotonic clock': 'the clock itself',
  },
  'engine/base/rng.ts': { chance: 'the source of randomness itself' },
  'engine/observe/log.ts': { 'wall clock': 'the time of a log line, which nothing reads back' },
  'engine/thread/link.ts': { timer: 'frames leave once a tick; a simulator hands in its own' },
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
  'actors/runtime/open-partition.ts': { 'end of process': 'fail-stop' },
  'actors/sending/dispatch/host.ts': { timer: 'a dispatch thread, outside every actor' },
  'actors/channels/outbound/outbound.ts': { timer: 'time limits of calls to the outside' },
  'actors/channels/apns/call.ts': { timer: 'time limit of a call' },
  'actors/channels/apns/connection.ts': { timer: 'time limits of connecting and of a ping' },
  'actors/channels/apns/connections.ts': {
    timer: 'quiet connections, and the grace at a close',
  },
  'actors/channels/email/smtp-connection.ts': { timer: 'time limits of a conversation' },
  'actors/channels/email/smtp-sender.ts': { timer: 'time limits and idle connections' },
  'actors/channels/email/smtp-socket.ts': { timer: 'time limit of connecting' },
  'actors/channels/webpush/encryption.ts': {
    chance: 'a fresh salt for each message, as RFC 8188 asks',
  },
};

t.test('imports go one way: engine, storage, actors, http', async (t) => {
  const wrong = imports().filter(([from, to]) => {
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
    const wrong = imports()
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
    const wrong = imports().filter(([from, to]) => {
      if (folderOf(to) === 'sandbox')
        return !['sandbox', 'cli', 'bench', 'test'].includes(folderOf(from));
      if (folderOf(to) === 'test') return folderOf(from) !== 'test';
      return folderOf(to) === 'bench' && folderOf(from) !== 'bench';
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

t.test('no two files import each other in a circle', async (t) => {
  const graph = new Map(files.map(({ path }) => [path, new Set<string>()]));
  for (const [from, to] of imports()) graph.get(from)?.add(to);
  t.strictSame(
    circles(graph).map((circle) => circle.join(' → ')),
    [],
  );
});

t.test('no two areas of actors/ import each other in a circle', async (t) => {
  const graph = new Map<string, Set<string>>();
  for (const [from, to] of imports()) {
    const [above, below] = [areaOf(from), areaOf(to)];
    if (above === undefined || below === undefined || above === below) continue;
    graph.set(above, (graph.get(above) ?? new Set()).add(below));
  }
  t.strictSame(
    circles(graph).map((circle) => circle.join(' → ')),
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

t.test('a source file opens with what it is for, and has no name that says nothing', async (t) => {
  const wrong: string[] = [];
  for (const { path, text } of files) {
    const needsHead = !path.startsWith('test/'); // a unit test's path says what it is about
    if (needsHead && !/^(#![^\n]*\n)?\/\/ /.test(text)) wrong.push(`${path}: no opening comment`);
    const name = posix.basename(path).replace(/\.(test\.)?(ts|mjs|js)$/, '');
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

/**
 * Commands, tests, benches, and what only package.json, a page or a file made by test/groups.mjs
 * names.
 */
function isEntry({ path }: SourceFile): boolean {
  if (/^cli\/(main\.ts|[^/]+\.mjs)$/.test(path)) return true;
  return (
    /^bench\/[^/]+\.(ts|mjs)$/.test(path) ||
    /^test\/.*(\.test|\/simulate|\/together|torture\/[^/]+)\.ts$/.test(path)
  );
}

/**
 * Every import of one file by another, types included: they tie two files together in a reader's
 * mind as well.
 */
function imports(): (readonly [from: string, to: string])[] {
  return files.flatMap(({ path, references }) =>
    references
      .filter(({ kind }) => kind !== 'url')
      .flatMap(({ files: found }) => found.map((to) => [path, to] as const)),
  );
}

function arrow([from, to]: readonly [string, string]): string {
  return `${from} → ${to}`;
}

function folderOf(path: string): string {
  return path.slice(0, path.indexOf('/'));
}

/** Houses that are one area; in the others every folder is one. */
const wholeHouses = new Set(['channels', 'events', 'runtime']);

/** `actors/people/audience` for a file in it; none for the files that compose the areas. */
function areaOf(path: string): string | undefined {
  const [, house = '', area] = /^actors\/([^/]+)\/(?:([^/]+)\/)?/.exec(path) ?? [];
  if (house === '') return undefined;
  return wholeHouses.has(house) || area === undefined
    ? `actors/${house}`
    : `actors/${house}/${area}`;
}

function packageOf(specifier: string): string {
  return specifier.split('/')[0] ?? specifier;
}

function lineOf(code: string, pattern: RegExp): number | undefined {
  const at = code.search(pattern);
  return at < 0 ? undefined : code.slice(0, at).split('\n').length;
}
