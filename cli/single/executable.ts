// What the single executable begins with (deploy/single.mjs). Node loads modules, threads and
// native parts from files alone, so it unpacks its program beside the data and runs it from there.
// Its own child processes are given a module of that program, and run that.

import cluster from 'node:cluster';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isAbsolute, join } from 'node:path';
import { getAsset, getRawAsset } from 'node:sea';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { directoryProblem } from '../directory.ts';
import { dataDirectory, programPlace } from './program-place.ts';
import { holdProgram, type Packed, removeUnused, unpackedProgram } from './unpack.ts';

/** In Node this is the path of the program's file, but that may be replaced while it runs. */
const ownExecutable = '/proc/self/exe';

function main(): void {
  const packed = readPacked();
  const [first] = process.argv.slice(2);
  if (process.platform === 'linux') process.execPath = ownExecutable;
  const own = first === undefined ? undefined : ownModule(packed, first);
  if (own !== undefined) {
    process.argv.splice(1, 1);
    // For `ps`: the name of the link says nothing.
    process.title = `engage ${process.argv.slice(1).join(' ')}`;
    run(own.folder, own.module);
    return;
  }
  const folder = unpacked(packed, first);
  if (folder === undefined) return;
  const module = join(folder, 'dist/cli/main.js');
  process.argv[1] = module;
  run(folder, module);
}

/** `undefined` after a sentence that says why there is none. */
function unpacked(packed: Packed, commandName: string | undefined): string | undefined {
  const place = programPlace(commandName, process.env);
  try {
    if (commandName === 'start') requireDataDirectory();
    const isFirst = !existsSync(join(place, packed.name));
    const folder = unpackedProgram(place, packed);
    refuseNoExec(folder);
    holdProgram(folder);
    if (commandName === 'start') removeUnusedOnceReady(place, packed.name);
    else if (isFirst) removeUnused(place, packed.name);
    return folder;
  } catch (error) {
    process.stderr.write(`engage: ${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
    return undefined;
  }
}

/** Code inside an executable cannot import files; a file of the program can. */
function run(folder: string, module: string): void {
  const begin = createRequire(module)(join(folder, 'begin.cjs')) as (url: string) => unknown;
  begin(pathToFileURL(module).href);
}

function readPacked(): Packed {
  const described = JSON.parse(getAsset('files.json', 'utf8')) as Omit<Packed, 'content'>;
  const content = () =>
    brotliDecompressSync(new Uint8Array(getRawAsset('files.br') as ArrayBuffer));
  return { ...described, content };
}

/** What a process of this program was told to run, instead of a command. */
function ownModule(
  { name }: Packed,
  word: string,
): { readonly folder: string; readonly module: string } | undefined {
  const at = word.indexOf(`/${name}/dist/`);
  if (!isAbsolute(word) || at < 0) return undefined;
  return { folder: word.slice(0, at + 1 + name.length), module: word };
}

/** With the sentence that a start has for it: otherwise the place in it could not be made. */
function requireDataDirectory(): void {
  const path = dataDirectory(process.env);
  const problem = directoryProblem(path);
  if (problem !== undefined)
    throw new Error(`ENGAGE_DATA_DIR is ${JSON.stringify(path)}: ${problem}.`);
}

/** Where the system refuses to run code, native parts fail with words that nobody understands. */
function refuseNoExec(folder: string): void {
  let mounts: string;
  try {
    mounts = readFileSync('/proc/self/mountinfo', 'utf8');
  } catch {
    return; // no Linux
  }
  const [nearest] = mounts
    .split('\n')
    .map((line) => line.split(' '))
    .map(([, , , , at = '', options = '']) => ({ at, options }))
    .filter(({ at }) => at !== '' && `${folder}/`.startsWith(at === '/' ? at : `${at}/`))
    .toSorted((one, other) => other.at.length - one.at.length);
  if (nearest?.options.split(',').includes('noexec'))
    throw new Error(
      `${nearest.at} is mounted with noexec, so no program runs from ${folder}: set ENGAGE_PROGRAM_DIR to a folder on another file system.`,
    );
}

/** By then no server of another version runs on the same data: it held the lock. */
function removeUnusedOnceReady(place: string, name: string): void {
  cluster.on('message', (_worker, message: { readonly kind?: string }) => {
    if (message.kind === 'ready') removeUnused(place, name);
  });
}

main();
