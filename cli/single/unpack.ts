// Unpacks the program of the single executable into a folder of its own, once, and checks at every
// start that each file still is what was packed. A folder has its name only when it is whole, so a
// process that is killed while it unpacks leaves nothing that another one runs. Nothing is synced:
// what a power cut damages, the next check finds.

import { hash, randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { makeDirectory } from '../directory.ts';

export interface Packed {
  /** Of its folder: another program has another name. */
  readonly name: string;
  readonly files: readonly PackedFile[];
  /** All files, one after the other. */
  content(): Uint8Array;
}

export interface PackedFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Others may unpack, or repair, the same at the same time. */
const triesMax = 4;
const draftBegin = '.unpacking-';

/** The folder of the program below `place`, whole. Throws a sentence if it cannot be. */
export function unpackedProgram(place: string, packed: Packed): string {
  const folder = join(place, packed.name);
  for (let tries = 0; ; tries++) {
    if (isWhole(folder, packed)) return folder;
    if (tries === triesMax)
      throw new Error(`${folder} changed while it was checked; no other program may write there.`);
    try {
      unpackAnew(place, folder, packed);
    } catch (error) {
      throw new Error(sentence(error, place, packed), { cause: error });
    }
  }
}

/** While this process lives, `removeUnused` of others leaves the folder. */
export function holdProgram(folder: string): void {
  openSync(folder, constants.O_RDONLY); // never closed, and a child does not get it
}

/** Removes programs of other versions that no process holds, and what a kill left. Linux only. */
export function removeUnused(place: string, current: string): void {
  const held = heldFolders();
  if (held === undefined) return;
  for (const name of namesIn(place)) {
    const isOther = /^engage-\d.*-[0-9a-f]{12}$/.test(name) && name !== current;
    if (isOther && !held.some((path) => path.endsWith(`/${name}`)))
      rmSync(join(place, name), { recursive: true, force: true });
  }
  removeDrafts(place);
}

function isWhole(folder: string, { files }: Packed): boolean {
  const stat = statOf(folder);
  if (stat === undefined) return false;
  if (stat.uid !== 0 && stat.uid !== process.geteuid?.())
    throw new Error(
      `${folder} belongs to another user: set ENGAGE_PROGRAM_DIR to a folder of your own.`,
    );
  return files.every((file) => isAsPacked(join(folder, file.path), file));
}

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined; // writing there says why it cannot be
  }
}

function isAsPacked(path: string, { bytes, sha256 }: PackedFile): boolean {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch {
    return false; // missing, a link, or unreadable: writing it anew says why it cannot be
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile() || stat.size !== bytes) return false;
    return hash('sha256', readFileSync(file)) === sha256;
  } catch {
    return false; // a disk that cannot read it back
  } finally {
    closeSync(file);
  }
}

function unpackAnew(place: string, folder: string, packed: Packed): void {
  makeDirectory(place);
  removeDrafts(place);
  const draft = join(place, `${draftBegin}${process.pid}-${randomBytes(6).toString('hex')}`);
  try {
    writeFiles(draft, packed);
    put(draft, folder, packed);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function writeFiles(draft: string, { files, content }: Packed): void {
  const bytes = content();
  let at = 0;
  for (const file of files) {
    const path = join(draft, file.path);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes.subarray(at, (at += file.bytes)));
  }
}

/** In the place of what is damaged there: a process that runs it keeps the files that it opened. */
function put(draft: string, folder: string, packed: Packed): void {
  if (statOf(folder) !== undefined) {
    if (isWhole(folder, packed)) return; // another process was faster
    const damaged = `${draft}-damaged`;
    renameSync(folder, damaged);
    rmSync(damaged, { recursive: true, force: true });
  }
  renameSync(draft, folder);
}

/** Of processes that are gone. */
function removeDrafts(place: string): void {
  for (const name of namesIn(place)) {
    const pid = Number(/^\.unpacking-(\d+)-/.exec(name)?.[1]);
    if (pid > 0 && pid !== process.pid && !isRunning(pid))
      rmSync(join(place, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function namesIn(place: string): readonly string[] {
  try {
    return readdirSync(place);
  } catch {
    return []; // it is not there yet, or not ours to read
  }
}

/** Where the open files of all processes lie that this user may see. */
function heldFolders(): readonly string[] | undefined {
  const pids = namesIn('/proc').filter((name) => /^\d+$/.test(name));
  if (pids.length === 0) return undefined;
  return pids.flatMap((pid) =>
    namesIn(`/proc/${pid}/fd`).map((file) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${file}`);
      } catch {
        return ''; // it has just been closed
      }
    }),
  );
}

function sentence(error: unknown, place: string, { files }: Packed): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const megabytes = Math.ceil(files.reduce((sum, { bytes }) => sum + bytes, 0) / 1_000_000);
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return `${place} has no room for the program (${megabytes} MB): free some, or set ENGAGE_PROGRAM_DIR to a folder on another disk.`;
  return `the program cannot be unpacked (set ENGAGE_PROGRAM_DIR to a folder for it): ${message}`;
}
