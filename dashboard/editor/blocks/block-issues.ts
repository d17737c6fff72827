// Which field of which block a problem of the made mail is in. The server names a place in the
// HTML, which nobody wrote; the Liquid that stands there is looked for in what was typed. Pure.

import { placedIssues, type TextIssue } from '../issue-places.ts';
import type { Block, Design } from './model.ts';

/** Of one block, by the keys of its fields. */
export type FieldIssues = ReadonlyMap<string, readonly TextIssue[]>;

export interface BlockIssues {
  readonly byBlock: ReadonlyMap<string, FieldIssues>;
  /** Those that no block can be blamed for. */
  readonly rest: readonly TextIssue[];
}

/** Stands for what belongs to no block: the field `preheader`. */
export const headId = '';

export function blockIssuesOf(
  { blocks: own, preheader = '' }: Design,
  body: string,
  issues: readonly TextIssue[],
): BlockIssues {
  const byBlock = new Map<string, Map<string, TextIssue[]>>();
  const rest: TextIssue[] = [];
  const blocks = [{ id: headId, kind: '', values: { preheader } }, ...own];
  const told = new Set<string>();
  for (const { from, to, level, error } of placedIssues(body, issues)) {
    const [wrong = ''] = body.slice(from, to).split('<');
    const name = `${wrong.trim()}\n${error}`;
    if (told.has(name)) continue;
    told.add(name);
    const places = wrong.trim() === '' ? [] : placesOf(blocks, wrong.trim());
    if (places.length === 0) rest.push({ level, error });
    for (const { block, key, line, column } of places) {
      const fields = byBlock.get(block) ?? new Map<string, TextIssue[]>();
      fields.set(key, [...(fields.get(key) ?? []), { level, line, column, error }]);
      byBlock.set(block, fields);
    }
  }
  return { byBlock, rest };
}

interface Place {
  readonly block: string;
  readonly key: string;
  readonly line: number;
  readonly column: number;
}

/** The first place in each field that has the text, those within columns too. */
function placesOf(blocks: readonly Block[], wrong: string): readonly Place[] {
  return blocks.flatMap(({ id, values, columns = [] }) => [
    ...Object.entries(values).flatMap(([key, value]) => {
      const at = typeof value === 'string' ? value.indexOf(wrong) : -1;
      if (at < 0) return [];
      const lines = String(value).slice(0, at).split('\n');
      return [{ block: id, key, line: lines.length, column: (lines.at(-1) ?? '').length + 1 }];
    }),
    ...columns.flatMap((own) => placesOf(own, wrong)),
  ]);
}
