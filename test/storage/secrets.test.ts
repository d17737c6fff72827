// The secrets of a data directory: made once, private, and never made anew over data.

import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { loadBootstrapToken, loadMasterKeys, parseMasterKeys } from '../../storage/secrets.ts';
import { temporaryDirectory } from './support/directory.ts';

const base64 = (n: number) => Buffer.alloc(32, n).toString('base64');
const context = { owner: 1, type: 'credential', id: 'x', version: 1 };
const nonce = Buffer.alloc(12);

t.test('a new directory gets a key of its own, closed to others, and keeps it', async (t) => {
  const dataDir = join(temporaryDirectory(), 'data');
  const first = loadMasterKeys({ env: {}, dataDir });
  t.equal(first.source, 'made');
  t.equal(statSync(join(dataDir, 'master-key')).mode & 0o777, 0o600);
  t.same(readdirSync(dataDir), ['master-key'], 'no draft is left');
  const second = loadMasterKeys({ env: {}, dataDir });
  t.equal(second.source, 'file');
  const sealed = first.value.seal('secret', context, nonce);
  t.equal(second.value.open(sealed, context).toString(), 'secret');
  const other = loadMasterKeys({ env: {}, dataDir: temporaryDirectory() });
  t.throws(() => other.value.open(sealed, context), /not among/);
});

t.test('the environment goes before the file, and may hold several keys', async (t) => {
  const dataDir = temporaryDirectory();
  const env = {
    ENGAGE_MASTER_KEY: ` ${base64(1)}, ${Buffer.alloc(32, 0xfb).toString('base64url')} `,
  };
  const { value, source } = loadMasterKeys({ env, dataDir });
  t.equal(source, 'environment');
  t.equal(value.keyIds.length, 2);
  t.same(readdirSync(dataDir), [], 'nothing is made');
});

t.test('a directory with data never gets a new key', async (t) => {
  const dataDir = temporaryDirectory();
  mkdirSync(join(dataDir, 'partitions'));
  t.throws(
    () => loadMasterKeys({ env: {}, dataDir }),
    /holds data but no master-key: set ENGAGE_MASTER_KEY/,
  );
  t.equal(loadMasterKeys({ env: { ENGAGE_MASTER_KEY: base64(1) }, dataDir }).source, 'environment');
});

t.test('a file that others may read is refused', async (t) => {
  const dataDir = temporaryDirectory();
  writeFileSync(join(dataDir, 'master-key'), base64(1));
  chmodSync(join(dataDir, 'master-key'), 0o640);
  t.throws(() => loadMasterKeys({ env: {}, dataDir }), /other users: chmod 600/);
});

t.test('a key that is none is refused without being shown', async (t) => {
  const short = Buffer.alloc(31).toString('base64');
  const bad = [
    short,
    'x',
    '',
    base64(1).replace('A', '!'),
    `${base64(1)},`,
    `${base64(1)} ${base64(2)}`,
  ];
  for (const text of bad) {
    try {
      parseMasterKeys(text, 'ENGAGE_MASTER_KEY');
      t.fail(`accepted ${text}`);
    } catch (error) {
      t.match((error as Error).message, /key \d is not 32 bytes of base64/);
      if (text.length > 9) t.notMatch((error as Error).message, text.slice(0, 9));
    }
  }
  t.throws(() => parseMasterKeys(`${base64(1)},${base64(1)}`, 'X'), /same key twice/);
});

t.test('the bootstrap token is made once, or given', async (t) => {
  const dataDir = temporaryDirectory();
  const { value, source } = loadBootstrapToken({ env: {}, dataDir });
  t.equal(source, 'made');
  t.match(value, /^[\w-]{43}$/);
  t.equal(readFileSync(join(dataDir, 'bootstrap-token'), 'utf8'), `${value}\n`);
  t.equal(statSync(join(dataDir, 'bootstrap-token')).mode & 0o777, 0o600);
  t.same(loadBootstrapToken({ env: {}, dataDir }), { value, source: 'file' });
  const env = { ENGAGE_BOOTSTRAP_TOKEN: 'a token of my own' };
  t.same(loadBootstrapToken({ env, dataDir }), {
    value: 'a token of my own',
    source: 'environment',
  });
  t.throws(
    () => loadBootstrapToken({ env: { ENGAGE_BOOTSTRAP_TOKEN: 'short' }, dataDir }),
    /fewer than 16/,
  );
});
