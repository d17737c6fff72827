// The cookbook's calls, copied as they stand: one message on each of the thirteen channels, and a
// Live Activity, seen by whoever it was for.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { channelIds } from '../../actors/channels/channel-ids.ts';
import { root } from '../support/places.ts';
import { client, eventually, startServer } from '../support/server.ts';

/** What the inbox says of the recipe's pushes to its activity. */
const pushes = ['A Live Activity: update', 'A Live Activity: end'];
const cookbook = readFileSync(join(root, 'docs/COOKBOOK.md'), 'utf8');

t.setTimeout(180_000); // a machine that is busy with other tests

t.test('each recipe of the cookbook reaches its recipient, and has a chapter', async (t) => {
  const server = await startServer(t);
  await eventually(
    async () => existsSync(join(server.dataDir, 'demo.env')) || undefined,
    'there is no demo',
  );
  const chapters = [...cookbook.matchAll(/^## (\S+)$/gm)].map(([, name]) => name);
  t.same(chapters, channelIds);
  const script = [...cookbook.matchAll(/```sh\n([\s\S]*?)```/g)]
    .map(([, block]) => `${block}\necho`)
    .join('\n')
    .replaceAll('http://127.0.0.1:8400', server.url)
    .replaceAll('http://127.0.0.1:8402', server.sandboxUrl)
    .replaceAll('data/', `${server.dataDir}/`);
  const run = spawnSync('sh', ['-e', '-c', script], { cwd: root, encoding: 'utf8' });
  t.equal(run.status, 0, run.stderr);
  // One recipe shows what a save gets that a colleague's change has overtaken.
  const refusals = run.stdout.split('\n').filter((line) => line.includes('"error"'));
  t.same(
    refusals.filter((line) => !line.startsWith('{"error":"If-Match: this was changed by ')),
    [],
  );
  t.equal(refusals.length, 1);
  const sandbox = client(server.sandboxUrl);
  const seen = await eventually(async () => {
    const { messages } = await sandbox.must('GET /control/messages?limit=100');
    return messages.length >= channelIds.length + pushes.length + 1 ? messages : undefined;
  }, 'not all messages arrive');
  const isPush = ({ note = '' }) => note.startsWith('A Live Activity: ');
  t.same(new Set(seen.filter(isPush).map(({ note = '' }) => note)), new Set(pushes));
  const isSigned = ({ title = '' }) => title === 'Signed';
  const signed = seen.find(isSigned);
  const { details } = await sandbox.must(`GET /control/messages/${signed?.id}`);
  t.same(details[0], ['DKIM', 'acme.example: valid']);
  const messages = seen.filter((one: object) => !isPush(one) && !isSigned(one));
  for (const channel of channelIds) {
    const mine = messages.filter((one: { channel: string }) => one.channel === channel);
    t.ok(mine.length > 0, channel);
    t.match(mine[0], { outcome: 'accepted', text: /\S/ }, channel);
  }
  const mails = messages.filter((one: { channel: string }) => one.channel === 'email');
  t.ok(mails.some(({ text = '' }) => /Hello Grace/.test(text)));
});
