// What is typed but not saved yet, over what the server has. Only what differs is sent, so two people
// who change different settings do not undo each other.

import { useState } from 'react';

export interface Draft<T extends object> {
  readonly value: T;
  set<K extends keyof T>(name: K, value: T[K]): void;
  /** The members that differ from what is saved. */
  readonly changes: Partial<T>;
  readonly isDirty: boolean;
  discard(): void;
}

export function useDraft<T extends object>(saved: T): Draft<T> {
  const [typed, setTyped] = useState<Partial<T>>({});
  const changes = changed(saved, typed);
  return {
    value: { ...saved, ...typed },
    set: (name, value) => setTyped((before) => ({ ...before, [name]: value })),
    changes,
    isDirty: Object.keys(changes).length > 0,
    discard: () => setTyped({}),
  };
}

/** Members of `typed` that are not the same in `saved`. */
export function changed<T extends object>(saved: T, typed: Partial<T>): Partial<T> {
  const names = Object.keys(typed) as (keyof T)[];
  const differing = names.filter((name) => !isSame(saved[name], typed[name]));
  return Object.fromEntries(differing.map((name) => [name, typed[name]])) as Partial<T>;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
