// Which names each file exports, and which files use them: read from the text, like
// source-graph.ts.

import { posix } from 'node:path';
import type { SourceFile } from './source-graph.ts';

interface ExportedName {
  readonly path: string;
  readonly line: number;
  readonly name: string;
  readonly isType: boolean;
  /** Files that import it, in the order of their paths. */
  readonly users: readonly string[];
}

/** Every exported name that a file declares itself, with the files that import it. */
export function exportedNames(sources: ReadonlyMap<string, SourceFile>): ExportedName[] {
  const users = usersByName(sources);
  const found: ExportedName[] = [];
  for (const { path, code } of sources.values()) {
    for (const [name, { line, isType }] of declared(code)) {
      const named = users.get(`${path} ${name}`) ?? [];
      const all = users.get(`${path} *`) ?? [];
      found.push({ path, line, name, isType, users: [...new Set([...named, ...all])].sort() });
    }
  }
  return found;
}

const declaration =
  /^export (?:declare )?(?:default )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type) ([\w$]+)/gm;

/** Names by the line that declares them; a name passed on from another file is not one's own. */
function declared(code: string): Map<string, { readonly line: number; readonly isType: boolean }> {
  const names = new Map<string, { readonly line: number; readonly isType: boolean }>();
  const add = (name: string, at: number) => {
    if (names.has(name)) return;
    const isType = /^export (?:declare )?(?:interface|type)\b/.test(code.slice(at, at + 30));
    names.set(name, { line: code.slice(0, at).split('\n').length, isType });
  };
  for (const match of code.matchAll(declaration)) add(match[1] ?? '', match.index);
  for (const match of code.matchAll(/^export (?:const|let) \{([^}]*)\} =/gm))
    for (const name of namesIn(match[1] ?? '', 'last')) add(name, match.index);
  for (const match of code.matchAll(/^export (?:type )?\{([^}]*)\}(?! from)/gm))
    for (const name of namesIn(match[1] ?? '', 'last'))
      if (!new RegExp(`^import [^;]*\\b${name}\\b[^;]*;`, 'm').test(code)) add(name, match.index);
  return names;
}

/** `path name` → files that use it; `path *` → files that may use any of its names. */
function usersByName(sources: ReadonlyMap<string, SourceFile>): Map<string, string[]> {
  const users = new Map<string, string[]>();
  for (const { path, code } of sources.values()) {
    const use = (specifier: string, name: string) => {
      // A page names its files from the root.
      const target = specifier.startsWith('/')
        ? specifier.slice(1)
        : posix.join(posix.dirname(path), specifier);
      if (!/^[./]/.test(specifier) || !sources.has(target)) return;
      const key = `${target} ${name}`;
      users.set(key, [...(users.get(key) ?? []), path]);
    };
    for (const [, list = '', specifier = ''] of code.matchAll(
      /^\s*(?:import|export)\s+([^'";]*?)\bfrom\s+'([^']+)'/gm,
    )) {
      const braced = /\{([^}]*)\}/.exec(list)?.[1];
      if (braced === undefined) use(specifier, '*');
      else for (const name of namesIn(braced, 'first')) use(specifier, name);
    }
    for (const [, names, specifier = '', member] of code.matchAll(
      /(?:\{([^{}]*)\} = await )?\bimport\(\s*'([^']+)'\s*,?\s*\)(?:\.(\w+))?/g,
    )) {
      if (member !== undefined && member !== 'then') use(specifier, member);
      else if (names === undefined) use(specifier, '*');
      else for (const name of namesIn(names, 'first')) use(specifier, name);
    }
    for (const [, specifier = ''] of code.matchAll(/new URL\(\s*'([^']+)'\s*,\s*import\.meta/g))
      use(specifier, '*');
    for (const [, target = ''] of code.matchAll(/\bmoduleAt\(\s*'([^']+)'/g))
      use(posix.join('.', posix.relative(posix.dirname(path), target)), '*');
  }
  return users;
}

/** `type A, B as C`: A and B come first, A and C last. */
function namesIn(list: string, which: 'first' | 'last'): string[] {
  return list
    .split(',')
    .map((part) => part.trim().replace(/^type /, ''))
    .filter((part) => part !== '')
    .map((part) => part.split(/\s+as\s+|\s*:\s*/).at(which === 'first' ? 0 : -1) ?? part);
}
