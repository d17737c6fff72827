// Looks for words that can only come from one person: in every record of a partition as it reads
// back, and in the bytes of files. Columns of events are compressed, so records are read through
// their own codecs as well.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { EventFile } from '../../actors/events/history/event-file.ts';
import { references } from '../../actors/events/log/event-rows.ts';
import type { StoredEvents } from '../../actors/events/log/stored-events.ts';
import { eventsOf } from '../../actors/runtime/facts.ts';
import { decodeBlock } from '../../engine/actor/block.ts';
import { wholeCheckpoints } from '../../storage/checkpoint.ts';
import { decodeKey } from '../../storage/keys.ts';
import { PartitionSnapshot } from '../../storage/partition-snapshot.ts';
import { tableById } from '../../storage/table.ts';

/** One place that still knows a person: `documents: sends`, `log: subscriber.erased`, a path. */
export interface Trace {
  readonly place: string;
  readonly marker: string;
}

/** What was looked at, so that a scan of nothing cannot pass for a clean one. */
interface Scan {
  readonly traces: readonly Trace[];
  readonly rows: number;
  readonly blocks: number;
  readonly parts: number;
  readonly events: number;
}

/** The markers that occur in a value: in its texts, its keys, and its bytes taken as UTF-8. */
export function markersIn(value: unknown, markers: readonly string[]): Set<string> {
  const found = new Set<string>();
  look(value);
  return found;

  function look(one: unknown): void {
    if (typeof one === 'string') {
      for (const marker of markers) if (one.includes(marker)) found.add(marker);
    } else if (one instanceof Uint8Array) {
      const bytes = Buffer.from(one.buffer, one.byteOffset, one.byteLength);
      for (const marker of markers) if (bytes.includes(marker)) found.add(marker);
    } else if (one instanceof Map) {
      for (const [key, inner] of one) {
        look(key);
        look(inner);
      }
    } else if (one instanceof Set || Array.isArray(one)) for (const inner of one) look(inner);
    else if (typeof one === 'object' && one !== null && !ArrayBuffer.isView(one)) {
      for (const [key, inner] of Object.entries(one)) {
        look(key);
        look(inner);
      }
    }
  }
}

/**
 * Every record of the partition in `path`, read back: rows, log, all whole checkpoints, all files
 * of history.
 */
export async function scanRecords(path: string, markers: readonly string[]): Promise<Scan> {
  const traces: Trace[] = [];
  const note = (place: string, value: unknown) => {
    for (const marker of markersIn(value, markers)) traces.push({ place, marker });
  };
  const counts = { rows: 0, blocks: 0, parts: 0, events: 0 };
  const noteEvents = (place: string, events: StoredEvents, from = 0, to = events.count) => {
    for (let row = from; row < to; row++) note(place, eventOf(events, row));
    counts.events += to - from;
  };
  const seen = new Set<string>();
  const snapshot = new PartitionSnapshot(path);
  try {
    for (const { key, value } of snapshot.documents()) {
      const { table, parts } = decodeKey(key);
      const declared = tableById(table);
      if (declared === undefined) throw new Error(`no table has the id ${table}`);
      note(`documents: ${declared.name}`, [parts, declared.decode(value, key)]);
      counts.rows++;
    }
    for (const { block } of snapshot.blocks()) {
      for (const entry of decodeBlock(block).entries) {
        note(`log: ${entry.kind}`, entry);
        for (const events of eventsOf(entry)) noteEvents(`log: ${entry.kind}`, events);
      }
      counts.blocks++;
    }
  } finally {
    await snapshot.close();
  }
  for (const { name, manifest, parts } of wholeCheckpoints(path)) {
    for (const listed of manifest.history) {
      if (seen.has(listed.file)) continue; // of the other checkpoint, too
      seen.add(listed.file);
      for (const { events, from, to } of new EventFile(path, listed).find({}))
        noteEvents('history', events, from, to);
    }
    note(`checkpoint ${name}`, manifest);
    for (const part of parts()) {
      note(`checkpoint ${name}: ${part.name}`, part.value);
      counts.parts++;
    }
  }
  return { traces, ...counts };
}

/**
 * Files below a directory whose bytes hold a marker; places are paths relative to it. `but` leaves
 * out files by name.
 */
export function scanFiles(
  directory: string,
  markers: readonly string[],
  but: (name: string) => boolean = () => false,
): Trace[] {
  return filesIn(directory)
    .filter((path) => !but(path))
    .flatMap((path) => {
      const bytes = readFileSync(path);
      return markers
        .filter((marker) => bytes.includes(marker))
        .map((marker) => ({ place: relative(directory, path), marker }));
    });
}

/** How often any of the markers stands in a file. */
export function countInFile(path: string, markers: readonly string[]): number {
  const bytes = readFileSync(path);
  let count = 0;
  for (const marker of markers)
    for (let at = bytes.indexOf(marker); at >= 0; at = bytes.indexOf(marker, at + 1)) count++;
  return count;
}

/** Every regular file below a directory; none when it is not there. */
function filesIn(directory: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function eventOf(events: StoredEvents, row: number): unknown {
  return [
    events.name(row),
    events.id(row),
    events.propsJson(row),
    events.metaJson(row),
    ...references.map((name) => events.reference(row, name)),
  ];
}
