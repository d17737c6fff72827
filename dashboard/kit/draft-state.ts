// What a draft is, without its saves: what is typed, over what was saved when the typing began.
// Pure.

import type { Version } from '../api/saves.ts';
import { readKept } from '../ui/kept-store.ts';
import { change, type History, startHistory } from './history.ts';

export interface DraftState<Draft, Saved> {
  readonly history: History<Draft>;
  /** The draft is dirty while it differs from this. */
  readonly base: Draft;
  /** What the draft was typed over: the next save is about it. */
  readonly version: Saved | Version | undefined;
  /** As it is saved; `undefined` for a new one. */
  readonly newest: Saved | undefined;
  /** It was typed before and not saved; `stale`: somebody has saved the thing since. */
  readonly restored: 'none' | 'fresh' | 'stale';
}

export interface DraftKind<Draft extends object, Saved extends Version> {
  /** `undefined` for a new one. */
  readonly saved: Saved | undefined;
  /** A new one before anything is typed. */
  readonly start: Draft;
  readonly draftOf: (saved: Saved) => Draft;
  /** Where the browser keeps what is typed over this. */
  readonly keptAs: (saved: Saved | undefined) => string;
  /** A kept draft as this page shows it; `undefined` if it cannot. */
  readonly restore: (kept: Partial<Draft>) => Draft | undefined;
  readonly isSame?: ((one: Draft, other: Draft) => boolean) | undefined;
  /** Saves a moment after the last change, and so goes on being typed while it is saved. */
  readonly autosave?: boolean;
  /**
   * Sends only the members that were changed, so it keeps all that they were typed over, and shows
   * what others save while nothing is typed.
   */
  readonly isForm?: boolean;
}

/** What the browser kept, or what is saved. */
export function begun<Draft extends object, Saved extends Version>(
  kind: DraftKind<Draft, Saved>,
): DraftState<Draft, Saved> {
  const { saved, start, draftOf, keptAs, restore, isForm = false } = kind;
  const clean = cleanOf(saved, saved === undefined ? start : draftOf(saved));
  const kept = readKept(keptAs(saved), ({ draft: members, over }) => {
    const draft = restore(members);
    const version = (over as Saved | undefined) ?? { etag: '' };
    return draft && { draft, version, base: isForm ? draftOf(version as Saved) : clean.base };
  });
  if (kept === undefined || isSameDraft(kind, kept.draft, clean.base)) return clean;
  // What was kept comes first, and undo leads back to what is saved.
  const history = change(clean.history, kept.draft, 0);
  const isFresh = kept.version.etag === (saved?.etag ?? '');
  return isFresh
    ? { ...clean, history, restored: 'fresh' }
    : { ...clean, ...kept, history, restored: 'stale' };
}

export function cleanOf<Draft, Saved>(
  saved: Saved | undefined,
  base: Draft,
): DraftState<Draft, Saved> {
  return { history: startHistory(base), base, version: saved, newest: saved, restored: 'none' };
}

/** After `sent` was saved, and more may have been typed. */
export function afterSave<Draft extends object, Saved extends Version>(
  { draftOf, autosave = false }: DraftKind<Draft, Saved>,
  { history, newest }: DraftState<Draft, Saved>,
  sent: Draft,
  answer: Saved,
): DraftState<Draft, Saved> {
  const now = draftOf(answer);
  // Who goes on typing keeps the words as they typed them; else the server's form shows.
  const before = !autosave ? sent : newest === undefined ? now : draftOf(newest);
  return {
    history: { ...history, present: rebased(history.present, sent, before, now) },
    base: rebased(sent, sent, before, now),
    version: answer,
    newest: answer,
    restored: 'none',
  };
}

/**
 * A draft after a save that was merged with a change of someone else: members that its author did
 * not touch become what was saved. `sent` was saved over `before`, and the answer is `now`.
 */
function rebased<Draft extends object>(
  draft: Draft,
  sent: Draft,
  before: Draft,
  now: Draft,
): Draft {
  const names = Object.keys({ ...draft, ...now }) as (keyof Draft)[];
  const taken = names.filter(
    (name) =>
      isSameText(sent[name], before[name]) &&
      isSameText(draft[name], sent[name]) &&
      !isSameText(now[name], sent[name]),
  );
  if (taken.length === 0) return draft;
  return { ...draft, ...Object.fromEntries(taken.map((name) => [name, now[name]])) };
}

export function isDirty<Draft extends object, Saved extends Version>(
  kind: DraftKind<Draft, Saved>,
  { history, base }: Pick<DraftState<Draft, Saved>, 'history' | 'base'>,
): boolean {
  return !isSameDraft(kind, history.present, base);
}

function isSameDraft<Draft extends object, Saved extends Version>(
  { isSame = isSameText }: DraftKind<Draft, Saved>,
  one: Draft,
  other: Draft,
): boolean {
  return isSame(one, other);
}

/** The members of a draft that differ from what they were. */
export function changedMembers<Draft extends object>(before: Draft, draft: Draft): Partial<Draft> {
  return Object.fromEntries(
    Object.entries(draft).filter(([name, value]) => !isSameText(before[name as never], value)),
  ) as Partial<Draft>;
}

function isSameText(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
