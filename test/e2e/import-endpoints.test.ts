// The README's import, as it stands, into a server that runs: the sample's people are there with their devices and tags,
// and a second import updates them.

import { readFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { request } from 'undici';
import type { ImportSummary } from '../../cli/import/summary.ts';
import { engage } from '../cli/support/engage.ts';
import { temporaryDirectory } from '../storage/support/directory.ts';
import { startServer } from '../support/server.ts';
import { root } from '../support/source-graph.ts';

t.test("the README's import brings the sample in, and again", async (t) => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const words = /node dist\/cli\/main\.js (import-endpoints) "\$ENGAGE_APP" (\S+)/.exec(readme);
  t.ok(words, 'the README has the command');
  const server = await startServer(t);
  const env = await demo(server.dataDir);
  const file = join(temporaryDirectory(), 'sample.gz'); // the state goes beside it
  await copyFile(join(root, words?.[2] ?? ''), file);
  const run = async (): Promise<ImportSummary> => {
    const { code, stdout, stderr } = await engage([words?.[1] ?? '', env.app, file], {
      ENGAGE_URL: server.url,
      ENGAGE_KEY: env.key,
    });
    t.equal(code, 0, stderr);
    return JSON.parse(stdout) as ImportSummary;
  };
  const first = await run();
  const second = await run();
  t.equal(first.subscribers.failed, 0);
  t.equal(first.subscribers.updated, 0);
  t.equal(second.subscribers.created, second.withoutUserId);
  t.equal(second.subscribers.updated, first.subscribers.created - first.withoutUserId);

  const answer = await request(`${server.url}/v1/apps/${env.app}/subscribers/external:user-16`, {
    headers: { authorization: `Bearer ${env.key}` },
  });
  t.match(await answer.body.json(), {
    externalUserId: 'user-16',
    tags: { first_name: String, age: String, plan: String, language: String },
    timezone: String,
    devices: [{ channel: String }],
  });
});

async function demo(dataDir: string): Promise<{ readonly app: string; readonly key: string }> {
  for (let tries = 0; ; tries++) {
    try {
      const text = readFileSync(join(dataDir, 'demo.env'), 'utf8');
      const app = /ENGAGE_APP=(\S+)/.exec(text)?.[1];
      const key = /ENGAGE_KEY=(\S+)/.exec(text)?.[1];
      if (app !== undefined && key !== undefined) return { app, key };
    } catch (error) {
      if (tries > 200) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50)); // made once it serves
  }
}
