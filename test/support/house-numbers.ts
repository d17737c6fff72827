// The numbers that say whether the house is in order, and the most that each may be. Run by
// itself (`npm run house`) it prints them with the files behind each; `test/tidy.test.ts` holds the
// limits, which only ever become smaller.

import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type AnyArea, areas as list } from '../../actors/runtime/areas.ts';
import { root } from './places.ts';
import { reachOf, routeFiles } from './reach.ts';
import { circles, filesBelow, importGraph, readSources, type SourceFile } from './source-graph.ts';

type Sources = ReadonlyMap<string, SourceFile>;

interface HouseNumber {
  readonly name: string;
  readonly is: number;
  readonly most: number;
  /** Files or places behind it. */
  readonly of: readonly string[];
}

/** By kind of message and entry: the folder of the area that owns it. */
function folderByKind(sources: Sources): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { path, code } of sources.values()) {
    if (!path.startsWith('actors/')) continue;
    const isProtocol = /^export interface \w+(?:Protocol|Inside) \{/m.test(code);
    for (const [, kind = ''] of isProtocol ? code.matchAll(/^ {2}'([a-z_.]+)': \{/gm) : [])
      found.set(kind, posix.dirname(path));
    const area = /^export const \w+Area = \{\n {2}name: '([^']+)'/m.exec(code)?.[1];
    const { apply = {} } = areas.find(({ name }) => name === area) ?? ({} as AnyArea);
    for (const kind of Object.keys(apply)) found.set(kind, posix.dirname(path));
  }
  return found;
}

/** Files of actors/ that name kinds of three or more areas, their own aside. */
function centralFiles(sources: Sources): readonly string[] {
  const owner = folderByKind(sources);
  const found: string[] = [];
  for (const { path, code } of sources.values()) {
    if (!path.startsWith('actors/')) continue;
    const named = new Set<string>();
    for (const [, kind = ''] of code.matchAll(/'([a-z_]+\.[a-z_]+)'/g)) {
      const folder = owner.get(kind);
      if (folder !== undefined && !path.startsWith(`${folder}/`)) named.add(folder);
    }
    if (named.size >= 3) found.push(`${path}: ${named.size} areas`);
  }
  return found.sort();
}

function importsOf({ references }: SourceFile): readonly string[] {
  return [...new Set(references.map(({ specifier }) => specifier))];
}

function linesOf(path: string): number {
  return readFileSync(join(root, path), 'utf8').split('\n').length - 1;
}

function wordsOf(path: string): number {
  return readFileSync(join(root, path), 'utf8').split(/\s+/).filter(Boolean).length;
}

const areas: readonly AnyArea[] = list;
const places = [
  'engine',
  'storage',
  'actors',
  'http',
  'looks',
  'files',
  'dashboard',
  'sandbox',
  'cli',
  'sdk',
];

/** All numbers, in the order of the house's plan. */
export function houseNumbers(sources: Sources): readonly HouseNumber[] {
  const machine = sources.get('actors/runtime/machine.ts') as SourceFile;
  const dashboard: Sources = new Map(
    [...sources].filter(([path]) => path.startsWith('dashboard/')),
  );
  const screens = reachOf(
    sources,
    [...sources.keys()].filter((path) => /^dashboard\/screens\/[^/]+\/screen\.tsx$/.test(path)),
  ).map(([, count]) => count);
  const routes = reachOf(sources, routeFiles(sources)).map(([, count]) => count);
  const central = centralFiles(sources);
  const circle = circles(importGraph(dashboard)).map((files) => files.join(' ↔ '));
  const loose = filesBelow('http').filter((path) => path.split('/').length === 2);
  const of: readonly string[] = [];
  const listed = (list: readonly string[]) => ({ is: list.length, of: list });
  return [
    { name: 'lines of machine.ts', is: linesOf('actors/runtime/machine.ts'), most: 200, of },
    { name: 'imports of machine.ts', ...listed(importsOf(machine)), most: 14 },
    {
      name: 'areas that machine.ts names',
      ...listed(importsOf(machine).filter((one) => /^\.\.\/[a-z-]+\//.test(one))),
      most: 0,
    },
    { name: 'files that name three or more areas', ...listed(central), most: 4 },
    { name: 'files that a screen reaches, median', is: at(screens, 0.5), most: 60, of },
    { name: 'files that a screen reaches, most', is: screens[0] ?? 0, most: 188, of },
    { name: 'circles of files in dashboard/', ...listed(circle), most: 0 },
    { name: 'files that a route reaches, median', is: at(routes, 0.5), most: 47, of },
    { name: 'files that a route reaches, nine of ten', is: at(routes, 0.1), most: 74, of },
    { name: 'loose files in http/', ...listed(loose), most: 3 },
    { name: 'words of docs/GAPS.md', is: wordsOf('docs/GAPS.md'), most: 5_000, of },
    { name: 'lines of CHANGELOG.md', is: linesOf('CHANGELOG.md'), most: 60, of },
  ];
}

/** Of numbers that fall: the one that this share of them exceeds. */
function at(numbers: readonly number[], share: number): number {
  return numbers[Math.floor(numbers.length * share)] ?? 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const { name, is, most, of } of houseNumbers(readSources(places))) {
    console.log(`${name}: ${is}, at most ${most}`);
    for (const one of of) console.log(`    ${one}`);
  }
}
