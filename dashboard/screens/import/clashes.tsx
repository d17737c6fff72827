// What keeps an import from beginning: two columns that become one thing, a tag without a name.

import { Note } from '../../ui/note.tsx';
import { type Clash, clashesOf } from './mapping.ts';
import type { Mapping } from './target.ts';
import { words } from './words.ts';

/** A sentence if the import cannot begin. */
export function refusalOf(mapping: Mapping): string | undefined {
  if (mapping.every(({ kind }) => kind === 'skip')) return words.nothing;
  if (mapping.some((target) => target.kind === 'tag' && target.key.trim() === ''))
    return words.nameless;
  return clashesOf(mapping).length > 0 ? words.parted : undefined;
}

export function Clashes({
  mapping,
  header,
}: {
  readonly mapping: Mapping;
  readonly header: readonly string[];
}) {
  const nameOf = (column: number) => header[column] || `${words.column} ${column + 1}`;
  return clashesOf(mapping).map(({ target, columns }) => (
    <Note key={columns.join(' ')} tone="bad">
      {words.clash(whatOf(target), columns.map(nameOf))}
    </Note>
  ));
}

function whatOf(target: Clash['target']): string {
  if (target.kind === 'tag') return words.theTag(target.key);
  return target.kind === 'device' ? '' : words.targets[target.kind].toLowerCase();
}
