// Makes one executable of dist as it is built, its packages and the Node that runs this:
//
//   node deploy/single.mjs <path>
//
// By Node's single executable applications. What it begins with is cli/single/executable.ts; the
// program is inside it, compressed, with a hash of each file.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { buildSync } from 'esbuild';
import { licensesText, programFiles } from './single-program.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** Node looks for this text in itself, and what follows it says whether something was added. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
const isMac = process.platform === 'darwin';

const [target] = process.argv.slice(2);
if (target === undefined) fail('usage: node deploy/single.mjs <path>');
if (process.platform === 'win32') fail('there is no single executable for Windows');
const node = readFileSync(process.execPath);
if (!node.includes(fuse)) fail(`${process.execPath} was built without single executables`);
const work = mkdtempSync(join(tmpdir(), 'engage-single-'));
try {
  make(resolve(target));
} finally {
  rmSync(work, { recursive: true, force: true });
}

function make(path) {
  pack();
  const main = join(work, 'main.cjs');
  buildSync({
    entryPoints: [join(root, 'cli/single/executable.ts')],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    outfile: main,
    logLevel: 'warning',
  });
  const blob = join(work, 'blob');
  const settings = {
    main,
    output: blob,
    disableExperimentalSEAWarning: true,
    assets: { 'files.json': join(work, 'files.json'), 'files.br': join(work, 'files.br') },
  };
  writeFileSync(join(work, 'settings.json'), JSON.stringify(settings));
  run(process.execPath, ['--experimental-sea-config', join(work, 'settings.json')]);
  const draft = join(work, 'engage');
  copyFileSync(process.execPath, draft);
  chmodSync(draft, 0o755);
  strip(draft);
  const postject = join(root, 'node_modules/postject/dist/cli.js');
  const segment = isMac ? ['--macho-segment-name', 'NODE_SEA'] : [];
  const words = [postject, draft, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', fuse, ...segment];
  run(process.execPath, words);
  if (isMac) run('codesign', ['--sign', '-', draft]);
  mkdirSync(dirname(path), { recursive: true });
  // Beside its place first: over a program that runs nothing can be copied.
  copyFileSync(draft, `${path}.new`);
  renameSync(`${path}.new`, path);
}

/** Writes all files of the program, one after the other and compressed, and what they are. */
function pack() {
  const written = programFiles().map((path) => ({ path, content: readFileSync(join(root, path)) }));
  const licenses = [`== Node.js ${process.version}`, nodeLicense(), licensesText()].join('\n\n');
  const begin = 'module.exports = (url) => import(url);\n';
  written.push({ path: 'licenses.txt', content: Buffer.from(licenses) });
  written.push({ path: 'begin.cjs', content: Buffer.from(begin) });
  const files = written.map(({ path, content }) => ({
    path,
    bytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
  }));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const whole = createHash('sha256').update(process.version).update(JSON.stringify(files));
  const name = `engage-${version}-${whole.digest('hex').slice(0, 12)}`;
  writeFileSync(join(work, 'files.json'), JSON.stringify({ name, files }));
  const bytes = Buffer.concat(written.map(({ content }) => content));
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 9,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  writeFileSync(join(work, 'files.br'), brotliCompressSync(bytes, { params }));
}

/** It lies at the top of what nodejs.org publishes. */
function nodeLicense() {
  const above = dirname(dirname(process.execPath));
  const found = [
    'LICENSE',
    'share/doc/node/LICENSE',
    'share/doc/nodejs/LICENSE',
    'share/doc/nodejs/copyright',
  ]
    .map((name) => join(above, name))
    .find((path) => existsSync(path));
  if (found !== undefined) return readFileSync(found, 'utf8').trim();
  return `See https://github.com/nodejs/node/blob/${process.version}/LICENSE`;
}

/** Symbols are for debuggers, and 18 MB. A signature would not fit what is added. */
function strip(path) {
  if (isMac) {
    run('codesign', ['--remove-signature', path]);
    return;
  }
  const { error, status } = spawnSync('strip', ['--strip-all', path], { stdio: 'ignore' });
  if (error !== undefined || status !== 0)
    process.stderr.write('single: without `strip` (binutils) the executable is 18 MB larger\n');
}

function run(command, words) {
  const { status, error, stdout, stderr } = spawnSync(command, words, { encoding: 'utf8' });
  if (status !== 0) fail(`\`${command} ${words.join(' ')}\` failed ${error ?? stdout + stderr}`);
}

function fail(sentence) {
  process.stderr.write(`single: ${sentence}\n`);
  process.exit(1);
}
