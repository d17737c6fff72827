// Files that are whole or not there: written under another name, synced, then renamed, and their
// directories synced, so that a power cut leaves the old file, the new one, or none. A rename alone
// promises neither the bytes nor the name.

import { closeSync, fstatSync, fsyncSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Bytes } from '../engine/base/brand.ts';

const readBytes: Bytes = 1024 * 1024;

/**
 * Writes a new file and syncs its bytes. The name is only durable after `syncPath` of the
 * directory. Replaces an existing file.
 */
export function writeSynced(path: string, bytes: Uint8Array): void {
  const file = openSync(path, 'w', 0o600);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Writes at the end of a file, which it makes if need be, and syncs its bytes; a throw may leave
 * some of them there.
 */
export function appendSynced(path: string, bytes: Uint8Array): void {
  const file = openSync(path, 'a', 0o600);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Syncs a file or a directory. */
export function syncPath(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes a directory and those above it, and makes their names durable. Mode 0700. */
export function makeDirectorySynced(path: string): void {
  const first = mkdirSync(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = path; ; made = dirname(made)) {
    syncPath(dirname(made));
    if (made === first) return;
  }
}

/** The size and CRC-32 of a file, read in pieces: a large one is never in memory as a whole. */
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
