// How many files a newcomer meets to understand one: those that its imports reach, types included.
// Run by itself (`npm run reach`) it prints the number of every route and every decision file.

import { pathToFileURL } from 'node:url';
import { reachable, readSources, type SourceFile } from './source-graph.ts';

type Sources = ReadonlyMap<string, SourceFile>;

/**
 * The lists of channels and of kinds of relays. Their lines are alike, so a reader opens the form
 * of a line, not thirteen folders, and a new channel changes no number (docs/decisions/0019).
 */
const channelLists = new Set([
  'actors/channels/catalog.ts',
  'actors/channels/providers.ts',
  'actors/channels/relays/kinds.ts',
  'actors/channels/relays/services.ts',
]);

/** Imported for what it switches off; there is nothing in it to know. */
const switches = ['engine/base/plain-msgpack.ts'];

function withoutLines(sources: Sources): Sources {
  const graph = new Map(sources);
  for (const path of switches) graph.delete(path);
  for (const path of channelLists) {
    const list = sources.get(path);
    if (list === undefined) continue;
    const references = list.references.filter(
      ({ files }) => !files.some((file) => /^actors\/channels\/[^/]+\//.test(file)),
    );
    graph.set(path, { ...list, references });
  }
  return graph;
}

/** Every file of `files` with how many files it reaches, itself included; the most first. */
export function reachOf(
  sources: Sources,
  files: Iterable<string>,
): readonly (readonly [path: string, count: number])[] {
  const graph = withoutLines(sources);
  return [...files]
    .map((path) => [path, reachable(graph, [path]).size] as const)
    .sort(([a, x], [b, y]) => y - x || a.localeCompare(b));
}

/** Every file of `files` with how many it imports itself; the most first. */
export function directOf(
  sources: Sources,
  files: Iterable<string>,
): readonly (readonly [path: string, count: number])[] {
  const importsOf = (path: string) =>
    new Set(sources.get(path)?.references.flatMap((one) => one.files)).size;
  return [...files]
    .map((path) => [path, importsOf(path)] as const)
    .sort(([a, x], [b, y]) => y - x || a.localeCompare(b));
}

/** The files of routes, without the list of them. */
export function routeFiles(sources: Sources): readonly string[] {
  return [...sources.keys()].filter(
    (path) => path.startsWith('http/routes/') && path !== 'http/routes/index.ts',
  );
}

/**
 * The files of actors/ that hold decisions: those with a table of them, and those whose functions
 * such a table names.
 */
export function decisionFiles(sources: Sources): readonly string[] {
  const found = new Set<string>();
  for (const { path, code, references } of sources.values()) {
    if (!path.startsWith('actors/')) continue;
    const tables = [...code.matchAll(/\bDecisions<[^;]*?[={] *\(?\{?\n([\s\S]*?)^\}/gm)];
    if (tables.length === 0) continue;
    found.add(path);
    const named = new Set(tables.flatMap(([, body = '']) => body.match(/\b[a-z]\w*\b/g) ?? []));
    for (const [, names = '', specifier] of code.matchAll(/^import \{([^}]*)\} from '([^']+)'/gm)) {
      const imported = names.split(',').map((name) => name.trim());
      if (!imported.some((name) => named.has(name))) continue;
      const files = references.find((one) => one.specifier === specifier)?.files ?? [];
      for (const file of files) {
        if (!file.startsWith('actors/')) continue;
        if (/\): Decision\b|\): Decision</.test(sources.get(file)?.code ?? '')) found.add(file);
      }
    }
  }
  return [...found];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const sources = readSources(['engine', 'storage', 'actors', 'http']);
  const lists = { routes: routeFiles(sources), decisions: decisionFiles(sources) };
  for (const [title, files] of Object.entries(lists)) {
    const reach = reachOf(sources, files);
    const median = reach[reach.length >> 1]?.[1] ?? 0;
    console.log(`${title}: ${reach.length} files, median ${median}, most ${reach[0]?.[1] ?? 0}`);
    for (const [path, count] of reach) console.log(`${String(count).padStart(5)} ${path}`);
  }
}
