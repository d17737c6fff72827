// Checkpoints of a partition: `checkpoints/<seq>.<generation>/` has a file for every part of
// memory, and `manifest.json` with checksums and the history it belongs to. A checkpoint is valid
// once it is synced, read back and renamed. The generation distinguishes two of the same seq.

import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { Packr, Unpackr } from 'msgpackr';
import { assert } from '../engine/base/assert.ts';
import type { Bytes, Millis, Ordinal, PersonOrdinal, Seq } from '../engine/base/brand.ts';
import { checksumOf, makeDirectorySynced, syncPath, writeSynced } from './durable-file.ts';

/**
 * The newest format that this program reads and the one that it writes: of the manifest, and the
 * first byte of every file.
 */
const checkpointFormat = 1;

/** How many checkpoints are kept. The log is dropped only up to the oldest of them. */
const checkpointsKept = 2;

/** A piece of memory as plain data, from the runtime. */
export interface CheckpointPart {
  /** Lower-case letters, digits and hyphens. */
  readonly name: string;
  readonly value: unknown;
}

/** A file of a checkpoint. */
interface CheckpointFile {
  readonly name: string;
  readonly bytes: Bytes;
  readonly crc32: number;
}

/** A file of history, as `history.ts` writes it. */
export interface HistoryFile {
  readonly app: Ordinal;
  /** The UTC day on which its events happened, in days since the epoch. */
  readonly day: number;
  /** Path below the partition's `history` directory. */
  readonly file: string;
  readonly count: number;
  /** The lowest and the highest number of its events within the app. */
  readonly minSeq: number;
  readonly maxSeq: number;
  readonly minAtMs: Millis;
  readonly maxAtMs: Millis;
  readonly bytes: Bytes;
  readonly crc32: number;
}

/** An erased person who may still be in history's files, where readers skip them. */
export interface Erasing {
  readonly app: Ordinal;
  readonly person: PersonOrdinal;
  readonly sinceMs: Millis;
}

/**
 * The manifest of a checkpoint. Together with the log after `seq` it is all of a partition except
 * its documents.
 */
export interface CheckpointManifest {
  readonly format: number;
  readonly partition: number;
  readonly epoch: number;
  readonly generation: number;
  /** The newest log block whose effects are in it, and whose events are in its history. */
  readonly seq: Seq;
  readonly atMs: Millis;
  readonly files: readonly CheckpointFile[];
  readonly history: readonly HistoryFile[];
  readonly erasing: readonly Erasing[];
}

/** A checkpoint whose checksums were right when it was opened. */
export interface Checkpoint {
  readonly name: string;
  readonly manifest: CheckpointManifest;
  /** Its parts in the order they were written, each read on demand. */
  parts(): Iterable<CheckpointPart>;
}

/** The input of `writeCheckpoint`, which makes the list of files itself. */
export type CheckpointHead = Omit<CheckpointManifest, 'format' | 'files'>;

/** The names of finished ones: seq and generation. */
const nameForm = /^(\d{1,16})\.(\d{1,16})$/;
const partForm = /^[a-z0-9-]{1,64}$/;
const manifestName = 'manifest.json';

// Plain maps, no records: memory may hold tenants' own keys, and a file must be readable by itself.
// Byte members are copied when read, or a few bytes kept for long would keep their whole file in
// memory.
const codec = { useRecords: false, moreTypes: true, int64AsType: 'number' } as const;
const packr = new Packr(codec);
const unpackr = new Unpackr({ ...codec, copyBuffers: true });

/** Where a partition's checkpoints are. */
export function checkpointsPath(partitionPath: string): string {
  return join(partitionPath, 'checkpoints');
}

/**
 * Writes a checkpoint, one part in memory at a time, reads it back and moves it into place. Returns
 * its manifest; after a throw there is no checkpoint. Its `generation` must be `nextGeneration`.
 */
export function writeCheckpoint(
  partitionPath: string,
  head: CheckpointHead,
  parts: Iterable<CheckpointPart>,
): CheckpointManifest {
  const root = checkpointsPath(partitionPath);
  makeDirectorySynced(root);
  const path = join(root, `${head.seq}.${head.generation}`);
  const draft = `${path}.tmp`;
  mkdirSync(draft, { mode: 0o700 });
  const files: CheckpointFile[] = [];
  for (const { name, value } of parts) {
    assert(partForm.test(name), `a checkpoint's part cannot be called ${name}`);
    const bytes = encodePart(value);
    files.push({ name: `${name}.bin`, bytes: bytes.length, crc32: crc32(bytes) });
    writeSynced(join(draft, `${name}.bin`), bytes);
  }
  const manifest: CheckpointManifest = { format: checkpointFormat, ...head, files };
  writeSynced(join(draft, manifestName), encodeManifest(manifest));
  syncPath(draft);
  verified(draft);
  renameSync(draft, path);
  syncPath(root);
  return manifest;
}

/** The generation of the next checkpoint: greater than any that left a trace. */
export function nextGeneration(partitionPath: string): number {
  let highest = 0;
  for (const entry of entriesOf(partitionPath)) {
    const found = nameForm.exec(entry.replace(/\.tmp$/, ''));
    if (found !== null) highest = Math.max(highest, Number(found[2]));
  }
  return highest + 1;
}

/**
 * The newest checkpoint whose files are whole, or `undefined` if there is none at all. A damaged or
 * unreadable one is reported, and the one before it is used. Throws if none of them can be read:
 * the log before them is gone.
 */
export function newestCheckpoint(
  partitionPath: string,
  onDamaged: (name: string, problem: string) => void,
): Checkpoint | undefined {
  const names = checkpointNames(partitionPath);
  for (const name of names) {
    try {
      return openCheckpoint(partitionPath, name);
    } catch (error) {
      onDamaged(name, error instanceof Error ? error.message : String(error));
    }
  }
  if (names.length === 0) return undefined;
  throw new Error(`${checkpointsPath(partitionPath)}: no checkpoint can be read.`);
}

/**
 * The newest whole manifest, or `undefined`. For readers of history, which need no part of memory.
 */
export function newestManifest(partitionPath: string): CheckpointManifest | undefined {
  for (const name of checkpointNames(partitionPath)) {
    const manifest = manifestIn(partitionPath, name);
    if (manifest !== undefined) return manifest;
  }
  return undefined;
}

/**
 * The manifests of all checkpoints, newest first. Checks only the manifests themselves, and leaves
 * out damaged ones.
 */
export function manifestsOf(partitionPath: string): readonly CheckpointManifest[] {
  return checkpointNames(partitionPath).flatMap((name) => manifestIn(partitionPath, name) ?? []);
}

function manifestIn(partitionPath: string, name: string): CheckpointManifest | undefined {
  return unlessDamaged(() => readManifest(join(checkpointsPath(partitionPath), name)));
}

/** Every checkpoint whose files are whole, newest first; for checks that compare them. */
export function wholeCheckpoints(partitionPath: string): readonly Checkpoint[] {
  return checkpointNames(partitionPath).flatMap(
    (name) => unlessDamaged(() => openCheckpoint(partitionPath, name)) ?? [],
  );
}

/** The problem of the checkpoint in a directory as a sentence, or `undefined`. */
export function problemOf(path: string): string | undefined {
  try {
    verified(path);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * Removes drafts and all but the newest `checkpointsKept` checkpoints; damaged ones do not count as
 * kept. Returns the remaining manifests, newest first. Not while one is being written.
 */
export function pruneCheckpoints(partitionPath: string): readonly CheckpointManifest[] {
  const root = checkpointsPath(partitionPath);
  const kept = new Map<string, CheckpointManifest>();
  for (const name of checkpointNames(partitionPath)) {
    if (kept.size === checkpointsKept) break;
    const manifest = unlessDamaged(() => verified(join(root, name)));
    if (manifest !== undefined) kept.set(name, manifest);
  }
  // If no checkpoint is whole, keep all: a person may still repair a damaged one.
  if (kept.size > 0) {
    for (const name of entriesOf(partitionPath)) {
      if (!kept.has(name)) rmSync(join(root, name), { recursive: true, force: true });
    }
  }
  return [...kept.values()];
}

/** Removes the remains of a failed or interrupted checkpoint. Not while one is being written. */
export function removeDrafts(partitionPath: string): void {
  for (const name of entriesOf(partitionPath)) {
    if (!name.endsWith('.tmp')) continue;
    rmSync(join(checkpointsPath(partitionPath), name), { recursive: true, force: true });
  }
}

/** Thrown for a checkpoint whose files differ from its manifest. */
class DamagedCheckpoint extends Error {
  override readonly name = 'DamagedCheckpoint';
}

function openCheckpoint(partitionPath: string, name: string): Checkpoint {
  const path = join(checkpointsPath(partitionPath), name);
  const manifest = verified(path);
  return { name, manifest, parts: () => partsIn(path, manifest) };
}

/** The manifest in a checkpoint's directory, after its files' checksums. */
function verified(path: string): CheckpointManifest {
  const manifest = readManifest(path);
  for (const { name, bytes, crc32 } of manifest.files) {
    const found = checksumOf(join(path, name));
    if (found.bytes !== bytes) {
      throw new DamagedCheckpoint(`${path}: ${name} has ${found.bytes} bytes, expected ${bytes}`);
    }
    if (found.crc32 !== crc32) throw new DamagedCheckpoint(`${path}: ${name} fails its checksum`);
  }
  return manifest;
}

/**
 * Damaged or missing is `undefined`. A disk that cannot be read now is an error, or its content
 * would be deleted.
 */
function unlessDamaged<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof DamagedCheckpoint) return undefined;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function* partsIn(path: string, manifest: CheckpointManifest): Generator<CheckpointPart> {
  for (const { name, crc32: expected } of manifest.files) {
    const bytes = readFileSync(join(path, name));
    if (crc32(bytes) !== expected) {
      throw new DamagedCheckpoint(`${path}: ${name} fails its checksum`);
    }
    yield { name: name.slice(0, -'.bin'.length), value: decodePart(bytes, join(path, name)) };
  }
}

/** The bytes of one part: a version byte and msgpack. */
export function encodePart(value: unknown): Uint8Array {
  const payload = packr.pack(value);
  const bytes = Buffer.allocUnsafe(payload.length + 1);
  bytes[0] = checkpointFormat;
  payload.copy(bytes, 1);
  return bytes;
}

function decodePart(bytes: Buffer, path: string): unknown {
  if (bytes[0] !== checkpointFormat) {
    throw new Error(
      `${path} has format ${bytes[0]} and this program reads up to ${checkpointFormat}.`,
    );
  }
  return unpackr.unpack(bytes.subarray(1));
}

// The manifest is a line of JSON after a line with its checksum, readable for people.
function encodeManifest(manifest: CheckpointManifest): Buffer {
  const text = JSON.stringify(manifest);
  return Buffer.from(`{"crc32":${crc32(text)},"manifest":${text}}\n`);
}

function readManifest(path: string): CheckpointManifest {
  const text = readFileSync(join(path, manifestName), 'utf8');
  const found = /^\{"crc32":(\d+),"manifest":(.*)\}\n$/s.exec(text);
  const body = found?.[2];
  if (body === undefined || crc32(body) !== Number(found?.[1])) {
    throw new DamagedCheckpoint(`${path}: ${manifestName} fails its checksum`);
  }
  const manifest = JSON.parse(body) as CheckpointManifest;
  if (manifest.format > checkpointFormat) {
    throw new Error(
      `${path} has format ${manifest.format} and this program reads up to ${checkpointFormat}`,
    );
  }
  return manifest;
}

/** The names of all finished checkpoints, whole or damaged, newest first. */
export function checkpointNames(partitionPath: string): readonly string[] {
  const generationOf = (name: string) => Number(nameForm.exec(name)?.[2]);
  return entriesOf(partitionPath)
    .filter((name) => nameForm.test(name))
    .sort((a, b) => generationOf(b) - generationOf(a));
}

function entriesOf(partitionPath: string): readonly string[] {
  try {
    return readdirSync(checkpointsPath(partitionPath));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
