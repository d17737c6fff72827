// The lists of changes that a restore must not undo: what goes on them, and the newest of each.

import type { Effect, Entry } from '../../engine/actor/message.ts';
import type { Millis } from '../../engine/base/brand.ts';
import type { ErasureList } from '../../storage/erasures.ts';
import { type ListedChange, lineOf } from '../../storage/listed-change.ts';
import { byKind } from './by-kind.ts';
import type { UndoneChanges } from './restore-changes.ts';

/** Adds a change to the lists. */
export interface ChangeListed {
  readonly kind: 'change.listed';
  readonly change: ListedChange;
}

export const undone = byKind(({ undone }) => undone) as UndoneChanges;

/** The line for an entry; `undefined` where a restore may undo it. */
export function changeIn(entry: Entry, atMs: Millis): ListedChange | undefined {
  const one = undone.get(entry.kind);
  const listed = one?.listed === undefined ? one && entry : one.listed(entry);
  return listed && { entry: listed, atMs };
}

/** Opt-outs and sessions are written together; a key or a secret at once. */
export function listChange(list: ErasureList, change: ListedChange): void {
  const line = lineOf(change);
  if (undone.get(change.entry.kind)?.isListedLater) list.addLater(line);
  else list.add(line);
}

/**
 * The changes of a decision, for the host thread. Also of one that makes them again: a replay
 * cannot tell those from others, and lists them late.
 */
export function changesIn(entries: readonly Entry[], atMs: Millis): readonly Effect[] {
  let effects: Effect[] | undefined;
  for (const entry of entries) {
    const change = changeIn(entry, atMs);
    if (change === undefined) continue;
    effects ??= [];
    effects.push({ port: 'host', message: { kind: 'change.listed', change } as ChangeListed });
  }
  return effects ?? none;
}

const none: readonly Effect[] = [];

/** The newest change about each thing, in the order in which they are made again. */
export function newestChanges(changes: Iterable<ListedChange>): readonly Entry[] {
  const newest = new Map<string, Entry[]>();
  for (const { entry } of changes) {
    const one = undone.get(entry.kind);
    if (one === undefined) continue; // a later version's
    const name = `${entry.owner} ${one.about(entry)}`;
    const [first] = newest.get(name) ?? [];
    newest.set(name, one.isPart && first !== undefined ? [first, entry] : [entry]);
  }
  const rank = ([first]: Entry[]) => undone.get(first?.kind ?? '')?.rank ?? 0;
  return [...newest.values()].sort((a, b) => rank(a) - rank(b)).flat();
}
