// Draws every screen anew and keeps the signatures. Of each picture that is no longer what was kept
// it writes two PNGs, for a person to look at: the new one, and the old one from the commit that
// last kept signatures.
//   npm run build && npm run pictures [-- home,campaign]   those whose names begin so
//   … redraw.ts --only <folder> <names,…>                  draws these, and keeps nothing

import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import t from 'tap';
import { root } from '../../support/places.ts';
import { drawnScreens } from './drawn-screens.ts';
import { keptFile, keptSignatures, writeSignatures } from './kept-signatures.ts';
import { differences, type Signature } from './picture-signature.ts';
import { stillPlace } from './still-place.ts';

const [first = '', into = '', names = ''] = process.argv.slice(2);
const folder = join(root, 'dist/pictures-changed');

t.setTimeout(0);
await (first === '--only' ? drawOnly(into, names.split(',')) : redraw(first.split(',')));

async function drawOnly(to: string, wanted: readonly string[]): Promise<void> {
  await t.test('drawn', async (t) => {
    const place = await stillPlace(t);
    for await (const { name, png } of drawnScreens(place, (name) => wanted.includes(name)))
      writeFileSync(join(to, `${name}.png`), png);
  });
}

async function redraw(begins: readonly string[]): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const kept = keptSignatures();
  const changed: string[] = [];
  await t.test('drawn anew', async (t) => {
    const place = await stillPlace(t);
    const isWanted = (name: string) => begins.some((begin) => name.startsWith(begin));
    const drawn: Record<string, Signature> = Object.fromEntries(
      Object.entries(kept).filter(([name]) => !isWanted(name)),
    );
    for await (const { name, png, drawn: now } of drawnScreens(place, isWanted)) {
      const was = kept[name];
      const found = was === undefined ? ['new'] : differences(was, now);
      drawn[name] = found.length === 0 && was !== undefined ? was : now;
      if (found.length === 0) continue;
      t.comment(`${name}: ${found.join('; ')}`);
      writeFileSync(join(folder, `${name}-after.png`), png);
      if (was !== undefined) changed.push(name);
    }
    writeSignatures(drawn);
    t.comment(`the signatures of ${Object.keys(drawn).length} pictures are kept`);
  });
  if (changed.length > 0) drawBefore(changed);
  t.comment(`look at ${relative(root, folder)}`);
}

/** In a work tree of the commit that kept what is there now, by its own scripts. */
function drawBefore(changed: readonly string[]): void {
  const run = (cwd: string, command: string, ...words: readonly string[]) =>
    execFileSync(command, words, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  const commit = run(root, 'git', 'log', '-1', '--format=%H', '--', keptFile).trim();
  if (commit === '') return;
  const tree = join(mkdtempSync(join(tmpdir(), 'engage-before-')), 'tree');
  run(root, 'git', 'worktree', 'add', '--detach', tree, commit);
  try {
    symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
    run(tree, process.execPath, 'dashboard/build.mjs');
    const before = join(folder, 'before');
    mkdirSync(before);
    const script = 'test/dashboard/support/redraw.ts';
    run(tree, process.execPath, '--import', 'tsx', script, '--only', before, changed.join(','));
    for (const name of changed)
      if (existsSync(join(before, `${name}.png`)))
        renameSync(join(before, `${name}.png`), join(folder, `${name}-before.png`));
    rmSync(before, { recursive: true });
  } finally {
    run(root, 'git', 'worktree', 'remove', '--force', tree);
  }
}
