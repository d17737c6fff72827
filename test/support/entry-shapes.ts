// What all entries contain, as one text: the declarations that `AnyEntry` leads to, through any
// file, without comments and blanks. By names alone: TypeScript's checker has no interface here.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileAt } from './places.ts';

/** Where entries, and what they hold, are declared. */
const folders = ['actors', 'engine', 'storage'];
/** Whatever else these lead to is no data of an entry. */
const declaration = /^(?:export )?(?:interface|type) (\w+)\b/;

interface Declared {
  readonly name: string;
  readonly file: string;
  readonly text: string;
}

/** Every named type that an entry can hold, in order of their names. */
export function entryShapes(root = 'AnyEntry'): readonly Declared[] {
  const all = declarations();
  const byName = new Map<string, Declared[]>();
  for (const one of all) byName.set(one.name, [...(byName.get(one.name) ?? []), one]);
  const reached = new Set<Declared>(byName.get(root));
  for (const one of reached)
    for (const [name] of one.text.matchAll(/\b[A-Z]\w+\b/g)) {
      // Messages are not stored.
      const named = name.endsWith('Protocol') ? [] : (byName.get(name) ?? []);
      const own = named.filter(({ file }) => file === one.file);
      for (const next of own.length > 0 ? own : named) reached.add(next);
    }
  return [...reached].toSorted((a, b) => order(`${a.name} ${a.file}`, `${b.name} ${b.file}`));
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function declarations(): Declared[] {
  return folders.flatMap((folder) => {
    const path = fileURLToPath(fileAt(folder));
    return readdirSync(path, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) =>
        declarationsOf(`${folder}/${name}`, readFileSync(join(path, name), 'utf8')),
      );
  });
}

/** A declaration ends before the next line that begins without a blank, or after its own `}`. */
function declarationsOf(file: string, source: string): Declared[] {
  const lines = withoutComments(source).split('\n');
  const found: Declared[] = [];
  for (let at = 0; at < lines.length; at++) {
    const name = declaration.exec(lines[at] as string)?.[1];
    if (name === undefined) continue;
    let end = at + 1;
    while (end < lines.length && /^(?:\s|\}|\)|$)/.test(lines[end] as string)) end++;
    found.push({ name, file, text: lines.slice(at, end).join('\n').replace(/\s+/g, ' ').trim() });
  }
  return found;
}

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}
