// What is typed but not saved yet, over what the server had when the typing began. Only what
// differs is sent, with the version that it is about, so that two people do not undo each other's
// changes. The browser keeps it, so that leaving the form loses nothing.

import { useEffect, useRef, useState } from 'react';
import { forgetKept, keep, readKept } from './kept-store.ts';

export interface Draft<T extends object, V = unknown> {
  readonly value: T;
  set<K extends keyof T>(name: K, value: T[K]): void;
  /** The members that differ from what is saved. */
  readonly changes: Partial<T>;
  readonly isDirty: boolean;
  /** As it is at this moment, for questions asked outside of drawing. */
  isDirtyNow(): boolean;
  /** It was typed before the form was left. */
  readonly isRestored: boolean;
  /** Whether all of it is kept; what is secret never is. */
  readonly isKept: boolean;
  /** What the changes are about: what was there when the first of them was typed. */
  readonly version: V;
  discard(): void;
}

interface Typed<T extends object, V> {
  readonly saved: T;
  readonly version: V;
  readonly members: Partial<T>;
}

export function useDraft<T extends object, V>(
  saved: T,
  version: V,
  key: string,
  secrets: readonly (keyof T)[] = [],
): Draft<T, V> {
  const [kept] = useState(() => readKept<Typed<T, V>>(key, isGood)?.draft);
  const [typed, setTyped] = useState(kept);
  const changes = typed === undefined ? {} : changed(typed.saved, typed.members);
  const isDirty = Object.keys(changes).length > 0;
  const from = typed !== undefined && isDirty ? typed : { saved, version, members: {} };
  const latest = useRef(isDirty);
  latest.current = isDirty;
  useEffect(() => {
    if (typed === undefined || !hasChanges(typed)) return forgetKept(key);
    const members = { ...typed.members };
    for (const name of secrets) delete members[name];
    keep(key, { ...typed, members });
  }, [key, typed, secrets]);
  return {
    value: { ...from.saved, ...from.members },
    set: (name, value) =>
      setTyped((before) => {
        const kept = before !== undefined && hasChanges(before) ? before : from;
        return { ...kept, members: { ...kept.members, [name]: value } };
      }),
    changes,
    isDirty,
    isDirtyNow: () => latest.current,
    isRestored: isDirty && kept !== undefined && typed !== undefined && isBegun(typed, kept),
    isKept: secrets.every((name) => !(name in changes)),
    version: from.version,
    discard: () => {
      latest.current = false;
      forgetKept(key);
      setTyped(undefined);
    },
  };
}

function isGood({ saved, members }: Partial<Typed<object, unknown>>): boolean {
  return typeof saved === 'object' && typeof members === 'object';
}

/** Whether it goes on from what was kept, with more typed or not. */
function isBegun<T extends object, V>(typed: Typed<T, V>, kept: Typed<T, V>): boolean {
  return typed.saved === kept.saved;
}

function hasChanges<T extends object, V>({ saved, members }: Typed<T, V>): boolean {
  return Object.keys(changed(saved, members)).length > 0;
}

/** Members of `typed` that are not the same in `saved`. */
function changed<T extends object>(saved: T, typed: Partial<T>): Partial<T> {
  const names = Object.keys(typed) as (keyof T)[];
  const differing = names.filter((name) => !isSame(saved[name], typed[name]));
  return Object.fromEntries(differing.map((name) => [name, typed[name]])) as Partial<T>;
}

/**
 * A draft after a save that was merged with a change of someone else: members that its author did
 * not touch become what was saved. `sent` was saved over `before`, and the answer is `now`.
 */
export function rebased<T extends object>(draft: T, sent: T, before: T, now: T): T {
  const names = Object.keys(draft) as (keyof T)[];
  const taken = names.filter(
    (name) =>
      isSame(sent[name], before[name]) &&
      isSame(draft[name], sent[name]) &&
      !isSame(now[name], sent[name]),
  );
  if (taken.length === 0) return draft;
  return { ...draft, ...Object.fromEntries(taken.map((name) => [name, now[name]])) };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
