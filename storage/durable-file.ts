// Files that are whole or absent after a power cut: written under another name, synced, renamed,
// directories synced. A rename alone makes neither bytes nor name durable.

import { closeSync, fstatSync, fsyncSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Bytes } from '../engine/base/brand.ts';

const readBytes: Bytes = 1024 * 1024;

/** Writes and syncs a file, replacing any. `syncPath` of the directory makes the name durable. */
export function writeSynced(path: string, bytes: Uint8Array): void {
  const file = openSync(path, 'w', 0o600);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Appends and syncs; creates the file if missing. A throw may leave some bytes there. */
export function appendSynced(path: string, bytes: Uint8Array): void {
  const file = openSync(path, 'a', 0o600);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A file or a directory. */
export function syncPath(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Also makes parents, and makes all names durable. Mode 0700. */
export function makeDirectorySynced(path: string): void {
  const first = mkdirSync(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = path; ; made = dirname(made)) {
    syncPath(dirname(made));
    if (made === first) return;
  }
}

/** Reads in pieces, so that a large file is never all in memory. */
export function checksumOf(path: string): { readonly bytes: Bytes; readonly crc32: number } {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.allocUnsafe(Math.min(readBytes, fstatSync(file).size + 1));
    let bytes = 0;
    let crc = 0;
    for (;;) {
      const length = readSync(file, buffer);
      if (length === 0) return { bytes, crc32: crc };
      bytes += length;
      crc = crc32(buffer.subarray(0, length), crc);
    }
  } finally {
    closeSync(file);
  }
}
