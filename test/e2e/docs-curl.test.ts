// The curl commands of the reference, run as copied with demo.env: each reaches its route with the
// right key and a body that is understood.

import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { fileAt } from '../support/places.ts';
import { eventually, startServer } from '../support/server.ts';

t.setTimeout(180_000); // a machine that is busy with other tests

/** What a provider signs, a person's own token opens, or the dashboard's own page alone may do. */
const callsOfOthers =
  /\/v1\/webhooks\/|\/i\/cdp\/|\/compat\/segment\/|\/v1\/sdk\/(?!app\/|subscriber)|\/v1\/session["/]/;

t.test('each curl of the reference runs as copied', async (t) => {
  const server = await startServer(t);
  const environment = join(server.dataDir, 'demo.env');
  await eventually(async () => existsSync(environment) || undefined, 'there is no demo');
  const html = await (await fetch(`${server.url}/docs`)).text();
  const curls = [...html.matchAll(/<pre class="curl" tabindex="0"><code>([\s\S]*?)<\/code>/g)]
    .map(([, code = '']) => code.replace(/<\/?span>/g, '').trim())
    .map((code) => code.replace(/&#(\d+);/g, (_, point) => String.fromCharCode(point)))
    .map((code) => code.replace('/live?', '/live?seconds=1&')) // a reader ends it with Ctrl-C
    .toSorted((one, other) => turnOf(one) - turnOf(other));
  t.ok(curls.length > 150);
  const script = curls
    .map((curl) => `${curl.replace(/^curl /m, 'curl -sS -w "\\n%{http_code}" ')}\necho; echo ====`)
    .join('\n');
  const here = dirname(server.dataDir);
  copyFileSync(fileAt('docs/inbox-light.png'), join(here, 'picture.png'));
  t.teardown(() => rmSync(join(here, 'picture.png'), { force: true }));
  const run = spawnSync(
    'bash',
    ['--norc', '-e', '-u', '-c', `. ${environment}\nENGAGE_WRITE_KEY=wk_none\n${script}`],
    { cwd: here, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  t.equal(run.stderr, '');
  const answers = run.stdout.split('\n====\n').slice(0, -1);
  t.equal(answers.length, curls.length);
  let posted = 0;
  for (const [place, curl] of curls.entries()) {
    const [, body = '', status = ''] = /^([\s\S]*)\n(\d{3})$/.exec(answers[place] ?? '') ?? [];
    const [line = ''] = curl.slice(curl.search(/^curl /m)).split('\n');
    const said = `${line} → ${status} ${body.slice(0, 300)}`;
    t.notMatch(line, /\{|API_KEY/, 'no placeholder is left');
    if (sendsMessage.test(line)) t.equal(status, '202', `to the demo's person: ${said}`);
    else if (creates.test(line)) t.match(status, /^20[01]$/, `in the demo app: ${said}`);
    else if (callsOfOthers.test(line)) t.match(status, /^(2..|40[0134])$/, said);
    // An example's id is nobody's; all else of the call was right.
    else if (status === '404')
      t.match(body, /not found|not_found|does not work|no longer (valid|exists)/, said);
    else t.match(status, /^[23]/, said);
    if (/-X POST/.test(line) && status.startsWith('2')) posted++;
  }
  t.ok(posted > 25, `${posted} posts do what they say`);
});

/** Its example needs nothing that the demo app lacks. */
const creates =
  / -X POST "[^"]*\/(campaigns|journeys|journeys\/simulate|in-app-messages|segments|messages)"/;
const sendsMessage = / -X POST "[^"]*\/apps\/[^"]*\/notifications"/;

/**
 * The call that a newcomer copies first; then the people that other calls need; last the calls that
 * delete what others need.
 */
function turnOf(curl: string): number {
  if (sendsMessage.test(curl)) return -1;
  if (/ -X POST "[^"]*\/subscribers"/.test(curl)) return 0;
  if (/ -X DELETE "[^"]*ENGAGE_APP"/.test(curl)) return 4;
  if (/ -X DELETE /.test(curl)) return 3;
  return /identity-secret|end-sessions/.test(curl) ? 2 : 1;
}
