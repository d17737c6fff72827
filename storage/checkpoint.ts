// A partition's checkpoints: `checkpoints/<seq>.<generation>/` has a file per part of memory and
// `manifest.json` with checksums and history. A checkpoint is valid once synced, read back and
// renamed. The generation distinguishes two of one seq.

import '../engine/base/plain-msgpack.ts';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { Packr, Unpackr } from 'msgpackr';
import { assert } from '../engine/base/assert.ts';
import type { Bytes, Millis, Ordinal, PersonOrdinal, Seq } from '../engine/base/brand.ts';
import { checksumOf, makeDirectorySynced, syncPath, writeSynced } from './durable-file.ts';

/** The format written and the newest read: in manifests and each file's first byte. */
const checkpointFormat = 1;

/** Checkpoints kept. The log is dropped only up to the oldest of them. */
const checkpointsKept = 2;

export interface CheckpointPart {
  readonly name: string;
  readonly value: unknown;
}

interface CheckpointFile {
  readonly name: string;
  readonly bytes: Bytes;
  readonly crc32: number;
}

export interface HistoryFile {
  readonly app: Ordinal;
  /** UTC day of its events, in days since the epoch. */
  readonly day: number;
  /** Path below the partition's `history` directory. */
  readonly file: string;
  readonly count: number;
  /** Lowest and highest event number in the app. */
  readonly minSeq: number;
  readonly maxSeq: number;
  readonly minAtMs: Millis;
  readonly maxAtMs: Millis;
  readonly bytes: Bytes;
  readonly crc32: number;
}

/** An erased person who may still be in history's files; readers skip them. */
export interface Erasing {
  readonly app: Ordinal;
  readonly person: PersonOrdinal;
  readonly sinceMs: Millis;
}

/** The manifest: with the log after `seq` it covers a partition except its documents. */
export interface CheckpointManifest {
  readonly format: number;
  readonly partition: number;
  readonly epoch: number;
  readonly generation: number;
  /** The newest log block it covers, in memory and history. */
  readonly seq: Seq;
  readonly atMs: Millis;
  readonly files: readonly CheckpointFile[];
  readonly history: readonly HistoryFile[];
  readonly erasing: readonly Erasing[];
}

/** A checkpoint whose checksums matched when it was opened. */
export interface Checkpoint {
  readonly name: string;
  readonly manifest: CheckpointManifest;
  /** In the order written, each read on demand. */
  parts(): Iterable<CheckpointPart>;
}

export type CheckpointHead = Omit<CheckpointManifest, 'format' | 'files'>;

/** Finished checkpoints: seq and generation. */
const nameForm = /^(\d{1,16})\.(\d{1,16})$/;
const partForm = /^[a-z0-9-]{1,64}$/;
const manifestName = 'manifest.json';

// Plain maps, no records: memory may hold tenants' keys, and each file must be readable alone.
// Reads copy byte fields, because a view would keep its whole file in memory.
const codec = { useRecords: false, moreTypes: true, int64AsType: 'number' } as const;
const packr = new Packr(codec);
const unpackr = new Unpackr({ ...codec, copyBuffers: true });

export function checkpointsPath(partitionPath: string): string {
  return join(partitionPath, 'checkpoints');
}

/** Writes, reads back and renames a checkpoint, or leaves none. Takes a `nextGeneration`. */
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

/** Greater than any generation that left a trace. */
export function nextGeneration(partitionPath: string): number {
  let highest = 0;
  for (const entry of entriesOf(partitionPath)) {
    const found = nameForm.exec(entry.replace(/\.tmp$/, ''));
    if (found !== null) highest = Math.max(highest, Number(found[2]));
  }
  return highest + 1;
}

/**
 * The newest whole checkpoint, or `undefined` if there are none. Reports damaged ones and uses the
 * previous. Throws if all are damaged, because the log before them is gone.
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

/** The newest whole manifest, or `undefined`; history readers need no memory parts. */
export function newestManifest(partitionPath: string): CheckpointManifest | undefined {
  for (const name of checkpointNames(partitionPath)) {
    const manifest = manifestIn(partitionPath, name);
    if (manifest !== undefined) return manifest;
  }
  return undefined;
}

/** All valid manifests, newest first. Does not check their files. */
export function manifestsOf(partitionPath: string): readonly CheckpointManifest[] {
  return checkpointNames(partitionPath).flatMap((name) => manifestIn(partitionPath, name) ?? []);
}

function manifestIn(partitionPath: string, name: string): CheckpointManifest | undefined {
  return unlessDamaged(() => readManifest(join(checkpointsPath(partitionPath), name)));
}

/** Every whole checkpoint, newest first; for checks that compare them. */
export function wholeCheckpoints(partitionPath: string): readonly Checkpoint[] {
  return checkpointNames(partitionPath).flatMap(
    (name) => unlessDamaged(() => openCheckpoint(partitionPath, name)) ?? [],
  );
}

/** A checkpoint's problem as a sentence, or `undefined`. */
export function problemOf(path: string): string | undefined {
  try {
    verified(path);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * Removes drafts and all but `checkpointsKept` whole checkpoints; never while one is written.
 * Returns the remaining manifests, newest first.
 */
export function pruneCheckpoints(partitionPath: string): readonly CheckpointManifest[] {
  const root = checkpointsPath(partitionPath);
  const kept = new Map<string, CheckpointManifest>();
  for (const name of checkpointNames(partitionPath)) {
    if (kept.size === checkpointsKept) break;
    const manifest = unlessDamaged(() => verified(join(root, name)));
    if (manifest !== undefined) kept.set(name, manifest);
  }
  // With no whole checkpoint, keep all: an operator may still repair one.
  if (kept.size > 0) {
    for (const name of entriesOf(partitionPath)) {
      if (!kept.has(name)) rmSync(join(root, name), { recursive: true, force: true });
    }
  }
  return [...kept.values()];
}

/** Removes interrupted checkpoints. Never call it while one is being written. */
export function removeDrafts(partitionPath: string): void {
  for (const name of entriesOf(partitionPath)) {
    if (!name.endsWith('.tmp')) continue;
    rmSync(join(checkpointsPath(partitionPath), name), { recursive: true, force: true });
  }
}

class DamagedCheckpoint extends Error {
  override readonly name = 'DamagedCheckpoint';
}

function openCheckpoint(partitionPath: string, name: string): Checkpoint {
  const path = join(checkpointsPath(partitionPath), name);
  const manifest = verified(path);
  return { name, manifest, parts: () => partsIn(path, manifest) };
}

/** The manifest in a directory, after checking its files' checksums. */
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

/** `undefined` if damaged or missing. A read error throws, or good content would be deleted. */
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

// The manifest is a checksum line and a line of JSON.
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

/** All finished checkpoints, whole or damaged, newest first. */
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
