// What a destination is called with stays sealed: its address, headers and secret are looked for in
// the log, the audit log, the ledger, every answer and error, the metrics, the files of the data
// directory, and a backup. The receiver sends back everything that it gets.

import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { closedPort } from '../actors/channels/stand-ins.ts';
import { nodeArguments, root } from '../support/places.ts';
import { eventually, makeOrg, startServer } from '../support/server.ts';

t.setTimeout(300_000); // a start, a backup, and a machine that is busy with other tests

const canaries = {
  path: 'canary-path-7c1f',
  query: 'canary-query-7c1f',
  header: 'canary-header-7c1f',
  secret: 'canary-secret-7c1f-0123456789',
  chat: 'canary-chat-7c1f',
  wrong: 'canary-wrong-7c1f',
  legacy: 'canary-legacy-7c1f',
};

t.test('no canary leaves the seal', async (t) => {
  const server = await startServer(t, { environment: { ENGAGE_LOG_LEVEL: 'debug' } });
  const { client: api } = await makeOrg(server, 'Acme');
  const { id: app } = await api.must('POST /v1/apps', { name: 'Shop' });
  const base = `/v1/apps/${app}`;
  const echo = await echoing(t);
  const texts: string[] = [];
  const ask = async (line: string, body?: object) => {
    const reply = await api.call(line, body);
    texts.push(reply.text);
    return reply;
  };

  const config = {
    // A space and é are sent in another way than they are saved.
    url: `${echo.url}/${canaries.path}/a b?token=${canaries.query}&é`,
    secret: canaries.secret,
    headers: { authorization: `Bearer ${canaries.header}` },
    events: ['*'],
  };
  const nobody = `http://127.0.0.1:${await closedPort()}/${canaries.path}`;
  for (const [line, body, status] of [
    ['PUT webhook', config, 201],
    ['PUT webhook', { ...config, concurrency: 2 }, 200],
    ['PUT webhook-nobody', { ...config, url: nobody }, 201],
    ['PUT slack', { url: `${echo.url}/${canaries.chat}` }, 201],
    ['PUT webhook', { ...config, url: `ftp://${canaries.wrong}.example/` }, 400],
    ['PUT webhook', { ...config, url: `https://${canaries.wrong}:x@a.example/` }, 400],
    ['PUT webhook', { ...config, secret: `whsec_${canaries.wrong}` }, 400],
    ['PUT webhook', { ...config, headers: { [canaries.wrong]: 'ü' } }, 400],
    ['PUT webhook', { ...config, headers: { host: canaries.wrong } }, 400],
    ['PUT webhook', { ...config, events: [canaries.wrong] }, 400],
    ['PUT slack', { url: canaries.wrong }, 400],
  ] as const) {
    const [method, type] = line.split(' ');
    const reply = await ask(`${method} ${base}/integrations/${type}`, body);
    t.equal(reply.status, status, `${line}: ${reply.text}`);
  }
  // a header's name is not secret, and an issue names it
  const names = texts.map((text) => text.replaceAll(`headers.${canaries.wrong}`, 'headers.x'));
  await api.must(`PATCH ${base}/settings`, { webhookUrl: echo.url, secret: canaries.legacy });

  await api.must(`POST ${base}/subscribers`, {
    externalUserId: 'ada',
    devices: [{ channel: 'fcm', endpoint: 'my-phone' }],
  });
  await api.must(`POST ${base}/notifications`, { externalUserId: 'ada', title: 'A', body: 'B' });
  await ask(`POST ${base}/integrations/webhook/test`);
  const tried = await eventually(
    async () => {
      const { items } = await api.must(`GET ${base}/webhook-deliveries?limit=100`);
      const done = items.filter((one: { attempts: number }) => one.attempts > 0);
      return done.length >= 4 ? done : undefined;
    },
    'not all deliveries are tried',
    60_000,
  );
  for (const { id } of tried) {
    const detail = await ask(`GET ${base}/webhook-deliveries/${id}`);
    t.equal(detail.status, 200);
  }
  t.ok(
    texts.some((text) => text.includes('[hidden]')),
    'the receiver did send them back',
  );
  for (const line of [
    'GET /v1/integrations',
    `GET ${base}/integrations`,
    `GET ${base}/integrations/webhook`,
    `GET ${base}/webhook-deliveries`,
    'GET /v1/org/audit-log?limit=200',
    `GET ${base}`,
  ])
    t.ok((await ask(line)).status < 500, line);
  texts.push(await (await fetch(`${server.metricsUrl}/metrics`)).text());

  const backup = join(dirname(server.dataDir), 'backup');
  const run = await engage(server.dataDir, 'backup', backup);
  t.equal(run.code, 0, run.output);
  await server.stop();
  const found = (what: string, text: string) => {
    for (const [name, canary] of Object.entries(canaries))
      t.notOk(text.includes(canary), `${what} does not have the ${name}`);
  };
  found('no answer', [...names, ...texts.slice(names.length)].join('\n'));
  found('the log', server.log());
  found('the command', run.output);
  for (const folder of [server.dataDir, backup])
    for (const file of filesIn(folder)) found(file, readFileSync(file, 'latin1'));
});

/** Answers 500 with all that it got, and once more as a part of a query. */
async function echoing(t: Test): Promise<{ url: string }> {
  const server = createServer((request, response) => {
    const { url, headers } = request;
    request.resume().on('end', () => {
      const { authorization = '' } = headers;
      const encoded = [authorization, url ?? ''].map(encodeURIComponent);
      const own = JSON.stringify({ authorization, url, encoded });
      response.writeHead(500, { 'content-type': 'application/json' }).end(own);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

async function engage(dataDir: string, ...words: string[]) {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(ENGAGE|TAP)_|^NODE_OPTIONS$/.test(name),
  );
  const child = spawn(process.execPath, [...nodeArguments('cli/main.ts'), ...words], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...Object.fromEntries(kept), ENGAGE_DATA_DIR: dataDir },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output };
}
