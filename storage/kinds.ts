// What a partition's log and documents have used, by name, in its meta: kinds of entries, versions
// of tables, numbers of timers, and the version of what entries contain. A program that does not
// know one of them would lose it, so it does not open the partition.

import type { Database } from 'lmdb';

/** What a program knows; `actors/runtime/known-kinds.ts`. */
export interface KnownKinds {
  has(name: string): boolean;
  /** Noted when a partition is opened, before anything is written. */
  readonly always: readonly string[];
}

/** A start cannot mend it: what is stored reads the same at the next one. */
export class CannotOpen extends Error {
  override readonly name = 'CannotOpen';
}

type MetaDatabase = Database<Buffer, Uint8Array>;

const kindsKey = Buffer.from('kinds');
/** Named in the sentence. */
const namedMax = 3;

/** Empty for data from before they were noted. */
export function readKinds(database: MetaDatabase): Set<string> {
  const stored = database.getBinary(kindsKey);
  return new Set(stored === undefined ? [] : (JSON.parse(stored.toString()) as string[]));
}

/** Inside the open transaction or batch. */
export function writeKinds(database: MetaDatabase, kinds: ReadonlySet<string>): void {
  void database.put(kindsKey, Buffer.from(JSON.stringify([...kinds].toSorted())));
}

/** Calls `close` and throws one sentence if the program does not know all that is used. */
export function assertKnown(
  kinds: Iterable<string>,
  known: KnownKinds,
  path: string,
  close: () => Promise<void>,
): void {
  const unknown = [...kinds].filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  void close();
  const more = unknown.length > namedMax ? ` and ${unknown.length - namedMax} more` : '';
  throw new CannotOpen(
    `${path} has data that this program does not know (${unknown.slice(0, namedMax).join(', ')}${more}): start the newer program, or restore the backup from before the upgrade.`,
  );
}

/** The name of a table's records. */
export function tableKind(name: string, version: number): string {
  return `table ${name}@${version}`;
}
