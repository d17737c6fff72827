// The calls of docs/skill/SKILL.md, copied as they stand, in one shell: an assistant that follows
// the page sends a message, makes a segment and reads results.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { codeBlocks } from '../support/documented-code.ts';
import { root } from '../support/places.ts';
import { client, eventually, startServer } from '../support/server.ts';

const page = 'docs/skill/SKILL.md';
t.setTimeout(180_000); // a machine that is busy with other tests

t.test('an assistant that follows the skill gets what it says', async (t) => {
  const server = await startServer(t);
  const environment = join(server.dataDir, 'demo.env');
  await eventually(async () => existsSync(environment) || undefined, 'there is no demo');
  const blocks = codeBlocks(page, 'sh');
  t.equal(blocks.length, 6);
  const script = blocks.map((block) => `${block}\necho; echo ====`).join('\n');
  const run = spawnSync('sh', ['-e', '-c', `. ${environment}\n${script}`], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ENGAGE_URL: server.url },
  });
  t.equal(run.status, 0, run.stderr);
  t.notMatch(run.stdout, /"error"/);
  const [app = '', sent = '', result, segment = '', dryRun = '', stats = ''] =
    run.stdout.split('\n====\n');
  t.match(JSON.parse(app), { id: /^app_/ });
  const id = /"id":"(ntf_[0-9a-z]{26})"/.exec(sent)?.[1];
  t.ok(id, 'the message was sent');
  t.match(JSON.parse(result ?? ''), { id, outcomes: [], story: [] }, 'with its story');
  t.match(segment, /"count":1,"total":\d+/, 'one person is counted');
  t.match(segment, /"name":"Pro with email"/);
  t.match(JSON.parse(dryRun), { dryRunId: /^dry_/ });
  t.match(JSON.parse(stats), { state: 'draft' });
  const sandbox = client(server.sandboxUrl);
  const inbox = await eventually(async () => {
    const { messages } = await sandbox.must(`GET /control/messages?sendId=${id}`);
    return messages[0] as { to: string; text: string } | undefined;
  }, 'the message does not arrive');
  t.match(inbox, { to: 'grace@example.com', text: /^Hello Grace, parcel A-2001/ });
});

t.test('the skill says its name and when to use it', async (t) => {
  const text = readFileSync(join(root, page), 'utf8');
  t.match(text, /^---\nname: [a-z-]+\ndescription: .{50,}\n---\n/);
});
