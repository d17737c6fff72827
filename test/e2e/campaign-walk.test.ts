// The tour's campaign and journey, copied as they stand, by a newcomer who kills the server in
// the middle and then looks at the inbox.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { root } from '../support/places.ts';
import { eventually, startServer } from '../support/server.ts';

const tour = readFileSync(join(root, 'docs/TOUR.md'), 'utf8');
const [make = '', send = '', resume = ''] = blocksOf('A campaign');
const [journey = ''] = blocksOf('A journey');

/** The shell blocks of a chapter. */
function blocksOf(chapter: string): string[] {
  const text = tour.split(new RegExp(`^## ${chapter}$`, 'm'))[1] ?? '';
  const own = text.split(/^## /m)[0] ?? '';
  return [...own.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block ?? '');
}

t.test(
  'a campaign that is paused, killed and resumed reaches each of a thousand people once',
  async (t) => {
    const server = await startServer(t);
    await eventually(
      async () => existsSync(join(server.dataDir, 'demo.env')) || undefined,
      'there is no demo',
    );
    /** A step of the walk, in a shell that has what the steps before it set. */
    const walk = (...blocks: readonly string[]): string => {
      const script = blocks
        .join('')
        .replaceAll('http://127.0.0.1:8400', server.url)
        .replaceAll('data/', `${server.dataDir}/`);
      const run = spawnSync('sh', ['-e', '-c', script], { cwd: root, encoding: 'utf8' });
      t.equal(run.status, 0, run.stderr);
      t.notMatch(run.stdout, /"error"/);
      return run.stdout;
    };
    const first = walk(make, send, '\necho "campaign=$campaign"');
    t.match(first, /"created":1000/);
    t.match(first, /"audience":1000/);
    const campaign = /campaign=(\S+)/.exec(first)?.[1] ?? '';
    const known = `. data/demo.env\napp="http://127.0.0.1:8400/v1/apps/$ENGAGE_APP"\nauth="authorization: Bearer $ENGAGE_KEY"\ncampaign=${campaign}\n`;
    const stats = () => {
      const text = walk(known, 'curl -sS "$app/campaigns/$campaign/stats" -H "$auth"');
      return JSON.parse(text) as { state: string; sent: number; delivered: number };
    };
    const inbox = async (): Promise<readonly string[]> => {
      const shown: { readonly id: number; readonly to: string; readonly text: string }[] = [];
      for (let page = shown, beforeId = ''; ; beforeId = `&beforeId=${page.at(-1)?.id}`) {
        const response = await fetch(`${server.sandboxUrl}/control/messages?limit=500${beforeId}`);
        page = ((await response.json()) as { messages: typeof shown }).messages;
        if (page.length === 0) return shown.map(({ to, text }) => `${to}: ${text}`);
        shown.push(...page);
      }
    };
    const calls = async () => {
      const { channels } = (await (await fetch(`${server.sandboxUrl}/control/stats`)).json()) as {
        channels: { fcm?: { accepted: number } };
      };
      return channels.fcm?.accepted ?? 0;
    };
    // What is in flight at a kill may be sent again, so nothing is. The pause took back the rest.
    let before = -1;
    const paused = await eventually(async () => {
      const now = stats();
      const isAtRest = now.delivered === before && now.delivered === (await calls());
      before = now.delivered;
      return isAtRest ? now : undefined;
    }, 'what was sent does not arrive');
    t.equal(paused.state, 'paused');
    t.ok(paused.delivered < 1000, `${paused.delivered} of 1000 were delivered`);

    // Everything, the stand-ins and the inbox included.
    await server.kill('SIGKILL');
    await server.start();
    t.equal(stats().state, 'paused');
    t.equal((await inbox()).length, paused.delivered, 'the inbox shows what it showed');
    walk(known, resume);
    const done = await eventually(
      async () => {
        const now = stats();
        return now.state === 'completed' ? now : undefined;
      },
      'the campaign does not end',
      60_000,
    );
    t.match(done, { sent: 1000, delivered: 1000 });
    const response = await fetch(`${server.sandboxUrl}/control/stats`);
    t.match(await response.json(), {
      channels: { fcm: { calls: 1000, accepted: 1000 } },
      sends: { pairs: 1000, calledAgain: 0 },
    });
    const titles = await inbox();
    t.equal(titles.length, 1000);
    t.equal(new Set(titles).size, 1000, 'the inbox holds each message once');

    const walked = walk(known, "json='content-type: application/json'\n", journey);
    t.match(walked, /"what":"sent"[\s\S]*"what":"converted"/, 'the walk on a virtual clock');
    t.match(walked, /"inFlow":1/);
    await eventually(async () => {
      const response = await fetch(`${server.sandboxUrl}/control/stats`);
      const { channels } = (await response.json()) as { channels: { fcm: { accepted: number } } };
      return channels.fcm.accepted === 1001 || undefined;
    }, 'the first message of the journey does not arrive');
  },
);
