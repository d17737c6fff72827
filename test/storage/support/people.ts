// A table for tests: rows with every kind of member, and an older version to read.

import { defineTable } from '../../../storage/table.ts';

/** A row of `people`. */
export interface Person {
  readonly name: string;
  readonly age?: number;
  readonly tags?: { readonly [key: string]: string | number | boolean | null };
  readonly token?: Uint8Array;
  readonly devices?: readonly { readonly id: string; readonly at: number }[];
}

/** Ids from 240 on are never given to a table of the product. */
export const people = defineTable<Person>()({
  id: 240,
  name: 'people',
  fields: ['name', 'age', 'tags', 'token', 'devices'],
  version: 2,
  upgrade: (person, version) => (version === 1 ? { ...person, age: person.age ?? 18 } : person),
});

/** A neighbor of `people` in key order. */
export const places = defineTable<{ readonly name: string }>()({
  id: 241,
  name: 'places',
  fields: ['name'],
  version: 1,
});
