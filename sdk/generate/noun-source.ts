// Which operations show a noun and which change it, as TypeScript source, for clients that keep
// answers. Only operations of keys and sessions: other callers keep none.

import type { Noun, Route } from '../../http/call/route.ts';
import { isOfTheDashboard } from './client-source.ts';

export function nounSource(routes: readonly Route[]): string {
  const own = routes.filter(
    ({ access: { kind }, path }) =>
      (kind === 'key' || kind === 'session') && isOfTheDashboard(path),
  );
  const readers = new Map<Noun, string[]>();
  for (const { name = '', reads = [], changes = [], endless } of own)
    if (changes.length === 0 && endless !== true)
      for (const noun of reads) readers.set(noun, [...(readers.get(noun) ?? []), name]);
  const changed = new Set<Noun>();
  const changes = own.flatMap(({ name = '', changes = [] }) => {
    const shown = changes.filter((noun) => readers.has(noun));
    for (const noun of shown) changed.add(noun);
    return shown.length === 0 ? [] : [`  ${name}: ${listed(shown)},\n`];
  });
  const rows = [...readers].flatMap(([noun, names]) =>
    changed.has(noun) ? [`  '${noun}': ${listed(names)},\n`] : [],
  );
  return [
    '\n/** The operations whose answers show a noun. */\n',
    `export const readersOf = {\n${rows.join('')}} as const;\n`,
    '\n/** The nouns that an operation changes. */\n',
    'export const changesOf: Partial<Record<keyof Operations, readonly (keyof typeof readersOf)[]>> = ',
    `{\n${changes.join('')}};\n`,
  ].join('');
}

function listed(names: readonly string[]): string {
  return `[${names.map((name) => `'${name}'`).join(', ')}]`;
}
