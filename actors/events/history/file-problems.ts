// Checks a history file for `engage check`: checksums prove the bytes; this compares every block
// with its directory entry and name index, by which readers skip blocks.

import type { HistoryFile } from '../../../storage/checkpoint.ts';
import { historyProblem } from '../../../storage/history.ts';
import type { StoredEvents } from '../log/stored-events.ts';
import { isMarkedTest, testsName } from '../log/test-mark.ts';
import type { BlockSummary } from './encode-block.ts';
import { EventFile } from './event-file.ts';
import { headProblem } from './file-directory.ts';
import { nameHash } from './name-index.ts';

/** The first problem as a sentence with the file; `undefined` without one. */
export function eventFileProblem(partitionPath: string, listed: HistoryFile): string | undefined {
  const damaged = historyProblem(partitionPath, listed);
  if (damaged !== undefined) return damaged;
  try {
    const found = problemIn(new EventFile(partitionPath, listed));
    return found === undefined ? undefined : `${listed.file} ${found}`;
  } catch (error) {
    return `${listed.file}: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function problemIn(file: EventFile): string | undefined {
  const head = headProblem(file.head());
  if (head !== undefined) return head;
  const all = new Summed();
  let lastPerson = 0;
  let block = 0;
  for (const { place, hashes, events } of file.rawBlocks()) {
    block++;
    const one = new Summed();
    one.add(events);
    all.add(events);
    const known = new Set(hashes);
    if (
      one.differsFrom(place) ||
      place.firstPerson !== events.person(0) ||
      place.lastPerson !== events.person(events.count - 1) ||
      place.firstPerson < lastPerson
    ) {
      return `has a block ${block} that does not match its directory`;
    }
    // Blocks that earlier builds packed are not listed under it, whatever they hold.
    if (known.has(testsHash) && holdsTests(events)) one.hashes.add(testsHash);
    if (known.size !== one.hashes.size || [...one.hashes].some((hash) => !known.has(hash)))
      return `has a block ${block} whose names do not match its index`;
    lastPerson = place.lastPerson;
  }
  return all.isSorted && !all.differsFrom(file.listed) ? undefined : 'does not match its manifest';
}

const testsHash = nameHash(testsName);

function holdsTests(events: StoredEvents): boolean {
  for (let row = 0; row < events.count; row++) if (isMarkedTest(events.metaJson(row))) return true;
  return false;
}

class Summed {
  count = 0;
  isSorted = true;
  readonly hashes = new Set<number>();
  #minSeq = Number.POSITIVE_INFINITY;
  #maxSeq = 0;
  #minAtMs = Number.POSITIVE_INFINITY;
  #maxAtMs = Number.NEGATIVE_INFINITY;
  #person = 0;
  #atMs = Number.NEGATIVE_INFINITY;

  add(events: StoredEvents): void {
    let name: string | undefined;
    for (let row = 0; row < events.count; row++) {
      this.count++;
      const seq = events.seq(row);
      this.#minSeq = Math.min(this.#minSeq, seq);
      this.#maxSeq = Math.max(this.#maxSeq, seq);
      const atMs = events.atMs(row);
      this.#minAtMs = Math.min(this.#minAtMs, atMs);
      this.#maxAtMs = Math.max(this.#maxAtMs, atMs);
      const person = events.person(row);
      if (person < this.#person || (person === this.#person && atMs < this.#atMs))
        this.isSorted = false;
      this.#person = person;
      this.#atMs = atMs;
      const found = events.name(row);
      if (found !== name) this.hashes.add(nameHash(found));
      name = found;
    }
  }

  differsFrom(said: Omit<BlockSummary, 'firstPerson' | 'lastPerson'>): boolean {
    return (
      !this.isSorted ||
      this.count !== said.count ||
      this.#minSeq !== said.minSeq ||
      this.#maxSeq !== said.maxSeq ||
      this.#minAtMs !== said.minAtMs ||
      this.#maxAtMs !== said.maxAtMs
    );
  }
}
