// The walks of docs/RELAYS.md, copied as they stand: each mail service from an account to a counted
// bounce, against a server in sandbox mode.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { relayKinds } from '../../actors/channels/relays/kinds.ts';
import { root } from '../support/places.ts';
import { client, eventually, startServer } from '../support/server.ts';

const page = readFileSync(join(root, 'docs/RELAYS.md'), 'utf8');

t.setTimeout(240_000); // a machine that is busy with other tests

t.test('each mail service has a chapter, whose walk ends with a counted bounce', async (t) => {
  const mailKinds = Object.entries(relayKinds).flatMap(([name, kind]) =>
    kind.channels.includes('email') ? [name] : [],
  );
  const chapters = [...page.matchAll(/^## ([a-z]+)$/gm)].map(([, name]) => name);
  t.same([...chapters].sort(), mailKinds.sort());
  const server = await startServer(t);
  await eventually(
    async () => existsSync(join(server.dataDir, 'demo.env')) || undefined,
    'there is no demo',
  );
  const script = [...page.matchAll(/```sh\n([\s\S]*?)```/g)]
    .map(([, block]) => `${block}\necho`)
    .join('\n')
    .replaceAll('http://127.0.0.1:8400', server.url)
    .replaceAll('http://127.0.0.1:8402', server.sandboxUrl)
    .replaceAll('data/', `${server.dataDir}/`)
    .replaceAll('sleep 1', 'sleep 0.1');
  const run = spawnSync('sh', ['-e', '-c', script], {
    cwd: root,
    encoding: 'utf8',
    timeout: 200_000,
  });
  t.equal(run.status, 0, `${run.stdout}\n${run.stderr}`);
  t.notMatch(run.stdout, '"error"');
  const bounces = run.stdout.match(/"status":"bounced","reason":"mailbox_not_found"/g) ?? [];
  t.equal(bounces.length, mailKinds.length, run.stdout);
  const checks = run.stdout.match(/"ok":true,"checked":true/g) ?? [];
  t.equal(checks.length, mailKinds.length, run.stdout);
  const { messages } = await client(server.sandboxUrl).must('GET /control/messages?limit=100');
  for (const kind of mailKinds.filter((name) => name !== 'smtp'))
    t.ok(
      messages.some(
        ({ channel, to }: { channel: string; to: string }) =>
          channel === kind && to === `nouser-${kind}@example.com`,
      ),
      `${kind} is in the inbox`,
    );
});
