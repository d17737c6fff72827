import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { removeUnused, unpackedProgram } from '../../../cli/single/unpack.ts';
import { temporaryDirectory } from '../../storage/support/directory.ts';
import { nodeArguments } from '../../support/places.ts';
import { mountDisk } from '../../support/small-disk.ts';
import { packedProgram } from './support/packed.ts';

const packed = packedProgram();
const native = 'node_modules/native/part.node';

/** Whether each file is what was packed, and nothing else lies in the place. */
function isWhole(place: string): boolean {
  const bytes = Buffer.from(packed.content());
  let at = 0;
  const same = packed.files.every(({ path, bytes: size }) => {
    const found = readFileSync(join(place, packed.name, path));
    return found.equals(bytes.subarray(at, (at += size)));
  });
  return same && readdirSync(place).join() === packed.name;
}

function unpacker(place: string, ...words: readonly string[]) {
  const script = nodeArguments('test/cli/single/support/unpacker.ts');
  const child = spawn(process.execPath, [...script, place, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return once(child, 'close') as Promise<[code: number | null, signal: string | null]>;
}

t.test('a program is unpacked once', async (t) => {
  const place = join(temporaryDirectory(), 'new', 'place');
  const folder = unpackedProgram(place, packed);
  t.equal(folder, join(place, packed.name));
  t.ok(isWhole(place));
  const { ino } = statSync(folder);
  const content = () => t.fail('nothing is unpacked a second time') as never;
  t.equal(unpackedProgram(place, { ...packed, content }), folder);
  t.equal(statSync(folder).ino, ino);
});

t.test('whatever is changed is unpacked again', async (t) => {
  const place = temporaryDirectory();
  const folder = unpackedProgram(place, packed);
  const path = join(folder, native);
  const damages: Readonly<Record<string, () => void>> = {
    'a byte': () => writeFileSync(path, `y${readFileSync(path, 'utf8').slice(1)}`),
    'the end': () => truncateSync(path, 100),
    'nothing left': () => truncateSync(path),
    'more at the end': () => writeFileSync(path, 'more', { flag: 'a' }),
    'a file that is gone': () => rmSync(path),
    'a folder that is gone': () => rmSync(join(folder, 'dist'), { recursive: true }),
    'a folder in place of a file': () => {
      rmSync(path);
      mkdirSync(path);
    },
    'a file in place of a folder': () => {
      rmSync(join(folder, 'dist'), { recursive: true });
      writeFileSync(join(folder, 'dist'), '');
    },
    'a link in place of a file': () => {
      const other = join(temporaryDirectory(), 'part.node');
      renameSync(path, other);
      symlinkSync(other, path);
    },
    'a link that leads nowhere': () => {
      rmSync(path);
      symlinkSync('nowhere', path);
    },
    'a file in place of all': () => {
      rmSync(folder, { recursive: true });
      writeFileSync(folder, '');
    },
    'an empty folder': () => {
      rmSync(folder, { recursive: true });
      mkdirSync(folder);
    },
  };
  for (const [damage, make] of Object.entries(damages)) {
    make();
    t.equal(unpackedProgram(place, packed), folder, damage);
    t.ok(isWhole(place), damage);
  }
});

t.test('a process that is killed while it unpacks leaves nothing that is run', async (t) => {
  const place = temporaryDirectory();
  const [, signal] = await unpacker(place, 'killed');
  t.equal(signal, 'SIGKILL');
  t.match(readdirSync(place), [/^\.unpacking-\d+-/], 'it had begun');
  unpackedProgram(place, packed);
  t.ok(isWhole(place), 'and what it left is gone');
});

t.test('several processes may unpack the same at the same time', async (t) => {
  const place = temporaryDirectory();
  const ends = await Promise.all(Array.from({ length: 4 }, () => unpacker(place)));
  t.same(
    ends.map(([code]) => code),
    [0, 0, 0, 0],
  );
  t.ok(isWhole(place));
});

t.test('other versions go, unless a process runs them', async (t) => {
  const place = temporaryDirectory();
  const [old, running] = ['0.8.0', '0.9.0'].map((version) => packedProgram(version));
  for (const one of [old, running, packed]) unpackedProgram(place, one as typeof packed);
  mkdirSync(join(place, 'engage-notes'));
  const holder = nodeArguments('test/cli/single/support/holder.ts');
  const child = spawn(process.execPath, [...holder, join(place, running?.name ?? '')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  removeUnused(place, packed.name);
  const kept = [running?.name, packed.name, 'engage-notes'].sort();
  t.same(readdirSync(place).sort(), kept, 'and what is somebody else’s stays');
  child.kill('SIGKILL');
  await once(child, 'exit');
  removeUnused(place, packed.name);
  t.same(readdirSync(place).sort(), [packed.name, 'engage-notes'].sort());
});

t.test('a place that cannot be made says why', async (t) => {
  const file = join(temporaryDirectory(), 'file');
  writeFileSync(file, '');
  const begin = 'the program cannot be unpacked (set ENGAGE_PROGRAM_DIR to a folder for it): ';
  const problems = {
    [file]: 'expected a directory, but it is a file.',
    [join(file, 'place')]: `expected a directory, but ${file} is a file.`,
    ...(process.platform === 'linux' && {
      '/proc/place': 'expected a directory, but /proc cannot hold a new one (ENOENT).',
    }),
  };
  for (const [place, problem] of Object.entries(problems))
    t.throws(
      () => unpackedProgram(place, packed),
      new Error(`${begin}${place}: ${problem}`),
      place,
    );
});

t.test('a full disk says how much is needed, and keeps nothing', async (t) => {
  const disk = join(temporaryDirectory(), 'disk');
  if (!mountDisk(t, disk, '64k')) {
    t.pass('a disk can only be mounted by root');
    return;
  }
  t.throws(
    () => unpackedProgram(disk, packed),
    new Error(
      `${disk} has no room for the program (1 MB): free some, or set ENGAGE_PROGRAM_DIR to a folder on another disk.`,
    ),
  );
  t.same(readdirSync(disk), []);
});

t.test('a read-only disk serves a whole program, and refuses another', async (t) => {
  const disk = join(temporaryDirectory(), 'disk');
  if (!mountDisk(t, disk, '4m')) {
    t.pass('a disk can only be mounted by root');
    return;
  }
  const folder = unpackedProgram(disk, packed);
  const remounted = await once(spawn('mount', ['-o', 'remount,ro', disk]), 'exit');
  t.equal(remounted[0], 0);
  t.equal(unpackedProgram(disk, packed), folder);
  const newer = packedProgram('2.0.0');
  t.throws(() => unpackedProgram(disk, newer), /ENGAGE_PROGRAM_DIR .*: .*file system is read-only/);
  t.notOk(existsSync(join(disk, newer.name)));
});
