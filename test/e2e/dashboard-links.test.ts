// Ways into the dashboard of a server that mails nothing: the link that a sandbox prints, the
// operator's command, and the first org of a live server.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import t from 'tap';
import { nodeArguments, root } from '../support/places.ts';
import { client, eventually, makeOrg, startServer } from '../support/server.ts';
import { browser } from '../support/signed-in.ts';

const run = promisify(execFile);

function dashboardLink(dataDir: string, ...words: readonly string[]) {
  const args = [...nodeArguments('cli/main.ts'), 'dashboard-link', ...words];
  const env = { PATH: process.env['PATH'], ENGAGE_DATA_DIR: dataDir };
  return run(process.execPath, args, { cwd: root, env });
}

t.test('a sandbox prints a link at each start that signs in its owner once', async (t) => {
  const server = await startServer(t);
  const printed = (starts: number) =>
    eventually(async () => {
      const links = [...server.log().matchAll(/Dashboard +(\S+)\/dashboard#once=([\w-]{43})/g)];
      return links[starts - 1] as unknown as [string, string, string] | undefined;
    }, 'no link');
  const [, url, once] = await printed(1);
  t.equal(url, server.url);
  const page = browser(server.url);
  const opened = await page.signIn({ once });
  t.match(opened, {
    status: 201,
    json: {
      member: { email: 'owner@demo.example' },
      org: { name: 'Demo' },
      role: 'owner',
      apps: [{ name: 'Demo app' }],
    },
  });
  t.equal((await browser(server.url).signIn({ once })).status, 401);
  await server.restart();
  t.match(await page.must('GET /v1/session'), { signedIn: true }, 'the session outlives a restart');
  const [, , fresh] = await printed(2);
  t.not(fresh, once);
  t.equal((await browser(server.url).signIn({ once: fresh })).status, 201);
});

t.test('a live server says that it has no org, and its operator makes links', async (t) => {
  const server = await startServer(t, { environment: { ENGAGE_MODE: 'live' } });
  const page = browser(server.url);
  t.same(await page.must('GET /v1/session'), { signedIn: false, setup: true, mode: 'live' });
  const { client: api, id, key } = await makeOrg(server, 'Acme');
  t.match(await page.must('GET /v1/session'), { signedIn: false, setup: false });
  t.equal((await page.signIn({ apiKey: key })).status, 201);
  await api.must('POST /v1/org/members', { email: 'ada@acme.example', role: 'owner' });

  const asked = await client(server.url).call(
    'POST /v1/session/link',
    { email: 'ada@acme.example' },
    { 'sec-fetch-site': 'same-origin', 'x-engage-dashboard': '1' },
  );
  t.equal(asked.status, 202);
  await eventually(
    async () => /sign_in\.no_mail/.exec(server.log()) ?? undefined,
    'the log does not say that nothing was mailed',
  );
  t.notMatch(server.log(), /ada@/, 'no address in the log');

  const { stdout, stderr } = await dashboardLink(server.dataDir, 'Ada@acme.example');
  t.match(stderr, /Signs in to Acme as Ada@acme\.example, once, until /);
  const [, url, link] = /^(\S+)\/dashboard#link=([\w-]{43})\n$/.exec(stdout) ?? [];
  t.equal(url, server.url);
  t.match(await browser(server.url).signIn({ link }), { status: 201, json: { role: 'owner' } });
  t.notMatch(server.log(), link, 'no token in the log');
  const refusal = async (...words: readonly string[]) =>
    (await dashboardLink(server.dataDir, ...words).catch((error) => error)).stderr;
  const unknown = 'is not a member; add the address with POST /v1/org/members';
  t.match(await refusal('nobody@acme.example'), `nobody@acme.example ${unknown}`);
  t.match(await refusal('ada@acme.example', '--org', 'org_other'), 'not a member of org_other');
  t.ok(await dashboardLink(server.dataDir, 'ada@acme.example', '--org', id));
  t.match(await refusal(), 'usage: engage dashboard-link <email>');
});
