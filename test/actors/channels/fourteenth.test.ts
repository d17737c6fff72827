// A fourteenth channel, added to a copy of the server's sources: its folder, its stand-in, and one
// line in each of five lists. What the probe reaches compiles, and lists the channel.

import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import t from 'tap';
import { channelIds } from '../../../actors/channels/channel-ids.ts';
import { providers as standIns } from '../../../sandbox/providers.ts';
import { root } from '../../support/places.ts';

/** The new files and where they go; they are in a folder beside this test. */
const added = {
  'actors/channels/pigeon/channel.ts': 'channel',
  'actors/channels/pigeon/message.ts': 'message',
  'actors/channels/pigeon/callbacks.ts': 'callbacks',
  'actors/channels/pigeon/provider.ts': 'provider',
  'actors/channels/pigeon/adapter.ts': 'adapter',
  'sandbox/pigeon/pigeon.ts': 'stand-in',
  'probe.ts': 'probe',
};

const last = channelIds.at(-1) as string;
const lastLine = new RegExp(`^ {2}'?${last}.*$`, 'm');

/** A line of the last channel, for the new one. */
const asPigeon = (line: string) =>
  line.replaceAll(last, 'pigeon').replaceAll(last.toUpperCase(), 'PIGEON');

/** The lists that get a line, each with its import. */
const touched = [
  'actors/channels/channel-ids.ts',
  'actors/channels/catalog.ts',
  'actors/channels/providers.ts',
  'actors/channels/dropped.ts',
  'sandbox/providers.ts',
];

t.test('a fourteenth channel is a folder, a stand-in, and a line in five lists', (t) => {
  const copy = mkdtempSync(join(tmpdir(), 'engage-fourteenth-'));
  t.teardown(() => rmSync(copy, { recursive: true, force: true }));
  for (const part of [
    'actors',
    'engine',
    'storage',
    'http',
    'sandbox',
    'package.json',
    'tsconfig.json',
  ])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    writeFileSync(join(copy, path), text);
  };
  for (const [path, name] of Object.entries(added))
    write(path, readFileSync(join(root, `test/actors/channels/fourteenth/${name}.ts.txt`), 'utf8'));
  write(
    'tsconfig.json',
    readFileSync(join(root, 'tsconfig.json'), 'utf8').replace(
      /"include": \[[^\]]*\]/,
      '"files": ["probe.ts"]',
    ),
  );
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  // Without the test runner's options, which are not for the compiler.
  const compile = () =>
    spawnSync('env', ['-i', process.execPath, tsc, '-p', copy], { encoding: 'utf8' });

  for (const path of touched) {
    // Without its provider the channel does not compile, so that line cannot be forgotten.
    if (path === 'actors/channels/providers.ts')
      t.match(compile().stdout, /providers\.ts.*Property 'pigeon' is missing/);
    const before = readFileSync(join(copy, path), 'utf8');
    const after = before
      .replace(/^import .*viber.*$/m, (line) => `${line}\n${line.replaceAll('viber', 'pigeon')}`)
      .replace(lastLine, (line) => `${line}\n${asPigeon(line)}`);
    const needsImport = !/channel-ids|dropped/.test(path);
    const lines = needsImport ? 2 : 1;
    t.equal(after.split('\n').length, before.split('\n').length + lines, `${path}: a line`);
    write(path, after);
  }
  t.equal(compile().stdout, '', 'it compiles');

  const answer = execFileSync(process.execPath, ['--import=tsx', 'probe.ts'], {
    cwd: copy,
    encoding: 'utf8',
  });
  t.match(JSON.parse(answer), {
    last: 'pigeon',
    channels: channelIds.length + 1,
    endpoint: { endpoint: 's1234', key: 's1234', identity: 'pigeon:s1234' },
    wrong: { problem: 'must be s and four digits' },
    optsOut: ['pigeon'],
    credential: true,
    faulty: { code: 'invalid', field: 'token' },
    enum: true,
    setting: { PIGEON: 'http://127.0.0.1:1' },
    urlNames: true,
    route: '/v1/webhooks/pigeon/:appId',
    dropped: 0,
    named: true,
    words: true,
    preview: { payload: { to: 's1234', text: 'Hi' } },
    read: [{ kind: 'status', name: '1', addresses: ['s1234'] }],
    adapter: 'function',
    standIns: standIns.length + 1,
  });
  t.end();
});
