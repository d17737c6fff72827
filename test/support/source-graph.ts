// What every source file imports, by a scanner for our own style, not a parser. A module is also
// reached by `new URL('…', import.meta.url)`, where a `${…}` stands for any name, and in tests by
// `moduleAt('…')` and `nodeArguments('…')` with a path from the root.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { root } from './places.ts';

/**
 * How a file names another: `type` imports vanish when compiled, `url` is a thread, a process or a
 * page's file.
 */
type ReferenceKind = 'value' | 'type' | 'dynamic' | 'url';

interface Reference {
  readonly kind: ReferenceKind;
  /** As written: `./link.ts`, `node:fs`, `lmdb`. */
  readonly specifier: string;
  /**
   * Files of the repository that it means, by path from the root; empty for a package, or for what
   * is not there.
   */
  readonly files: readonly string[];
}

export interface SourceFile {
  /** From the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** The text without comments, line for line. */
  readonly code: string;
  readonly references: readonly Reference[];
}

/** Every TypeScript and JavaScript file below these folders, by path, without bare types. */
export function readSources(folders: readonly string[]): ReadonlyMap<string, SourceFile> {
  const paths = folders
    .flatMap((folder) => filesBelow(folder))
    .filter((path) => /(?<!\.d)\.(tsx?|mjs|js)$/.test(path));
  const known = new Set(paths);
  const sources = new Map<string, SourceFile>();
  for (const path of paths) {
    const text = readFileSync(join(root, path), 'utf8');
    const code = withoutComments(text);
    sources.set(path, { path, text, code, references: referencesOf(path, code, known) });
  }
  return sources;
}

/** Every file below a folder, from the root, sorted. */
export function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder))
    .sort()
    .flatMap((name) => {
      const path = posix.join(folder, name);
      return statSync(join(root, path)).isDirectory() ? filesBelow(path) : [path];
    });
}

/**
 * By file: the files that it imports, types included: they tie two files together in a reader's
 * mind as well.
 */
export function importGraph(
  sources: ReadonlyMap<string, SourceFile>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const imported = ({ references }: SourceFile) =>
    references.filter(({ kind }) => kind !== 'url').flatMap(({ files }) => files);
  return new Map([...sources.values()].map((source) => [source.path, new Set(imported(source))]));
}

/** Everything that can be reached from these files. */
export function reachable(
  sources: ReadonlyMap<string, SourceFile>,
  from: Iterable<string>,
): ReadonlySet<string> {
  const seen = new Set<string>();
  const waiting = [...from];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const source = sources.get(path);
    if (source === undefined || seen.has(path)) continue;
    seen.add(path);
    for (const { files } of source.references) waiting.push(...files);
  }
  return seen;
}

/** The circles of a graph: its strongly connected components of more than one node (Tarjan). */
export function circles<Node>(graph: ReadonlyMap<Node, ReadonlySet<Node>>): Node[][] {
  const index = new Map<Node, number>();
  const low = new Map<Node, number>();
  const stack: Node[] = [];
  const found: Node[][] = [];
  const visit = (node: Node): number => {
    const own = index.size;
    index.set(node, own);
    low.set(node, own);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      const reached = index.has(next)
        ? stack.includes(next)
          ? (index.get(next) ?? own)
          : own
        : visit(next);
      low.set(node, Math.min(low.get(node) ?? own, reached));
    }
    if (low.get(node) === own) {
      const circle = stack.splice(stack.indexOf(node));
      if (circle.length > 1) found.push(circle);
    }
    return low.get(node) ?? own;
  };
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return found;
}

/**
 * Comments blanked. A `/*` that opens a comment stands after space or at a line's start; in a
 * string it does not.
 */
function withoutComments(text: string): string {
  return text
    .replace(/(^|\s)\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
    .replace(/(^|\s)\/\/[^\n]*/g, '$1');
}

function referencesOf(path: string, code: string, known: ReadonlySet<string>): Reference[] {
  const found: Reference[] = [];
  const add = (written: ReferenceKind, specifier: string) => {
    const isUrl = specifier.startsWith('url:'); // dashboard/build.mjs
    const kind = isUrl ? 'url' : written;
    const meaning = isUrl ? specifier.slice('url:'.length) : specifier;
    found.push({ kind, specifier: meaning, files: meant(path, meaning, kind, known) });
  };
  for (const [, type, names = '', specifier = ''] of code.matchAll(
    /^\s*(?:import|export)\s+(type\s+)?([^'";]*?)\bfrom\s+'([^']+)'/gm,
  )) {
    add(type !== undefined || onlyTypes(names) ? 'type' : 'value', specifier);
  }
  for (const [, specifier = ''] of code.matchAll(/^\s*import\s+'([^']+)'/gm))
    add('value', specifier);
  for (const [, specifier = '', after] of code.matchAll(/\bimport\(\s*'([^']+)'\s*\)(\.\w)?/g)) {
    add(after === undefined ? 'dynamic' : 'type', specifier);
  }
  for (const [, specifier = ''] of code.matchAll(
    /new URL\(\s*['`]([^'`]+)['`]\s*,\s*import\.meta\.url\s*,?\s*\)/g,
  )) {
    add('url', specifier);
  }
  for (const [, path = ''] of code.matchAll(/\b(?:moduleAt|nodeArguments)\(\s*'([^']+)'\s*\)/g))
    found.push({ kind: 'url', specifier: path, files: known.has(path) ? [path] : [] });
  return found;
}

/** `{ type A, type B }`: every name is a type. */
function onlyTypes(names: string): boolean {
  const list = /^\{([^}]*)\}\s*$/.exec(names)?.[1];
  if (list === undefined) return false;
  return list.split(',').every((name) => name.trim() === '' || name.trim().startsWith('type '));
}

function meant(
  from: string,
  specifier: string,
  kind: ReferenceKind,
  known: ReadonlySet<string>,
): string[] {
  if (!specifier.startsWith('.')) return [];
  const target = posix.join(dirname(from), specifier);
  if (kind !== 'url' || !target.includes('${')) return known.has(target) ? [target] : [];
  const parts = target
    .split(/\$\{[^}]*\}/)
    .map((part) => part.replace(/[.*+?^$()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(`^${parts.join('[^/]*')}$`);
  return [...known].filter((path) => pattern.test(path));
}
