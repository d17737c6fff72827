// The surface as data: each script holds on the core of the web SDK, and on a real server, so that
// neither an SDK nor a script can say what is not so.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import t from 'tap';
import { root } from '../../support/places.ts';
import { client, makeOrg, sharedServer } from '../../support/server.ts';
import { coreOfTheWeb } from './support/core-sdk.ts';
import { appOf } from './support/real-server.ts';
import { madeUpServer, runScript } from './support/run-script.ts';
import { allScripts, type Script } from './support/script.ts';

const scripts = allScripts();

/** The scripts that ask no more of an SDK than it can. */
const fit = scripts.filter(([, { needs = [] }]) =>
  needs.every((need) => coreOfTheWeb.can.has(need)),
);

t.test('every script is as the schema says', async (t) => {
  const schema = readFileSync(join(root, 'sdk/conformance/script.schema.json'), 'utf8');
  const isRight = new Ajv2020({ allowUnionTypes: true }).compile(JSON.parse(schema));
  for (const [name, script] of scripts)
    t.ok(isRight(script), `${name}: ${JSON.stringify(isRight.errors?.[0])}`);
});

for (const [name, script] of fit)
  t.test(`${name}: ${script.title}`, async () => runScript(script, coreOfTheWeb, madeUpServer));

t.test('a real server answers as the scripts say', async (t) => {
  const server = await sharedServer(t, { ENGAGE_PER_IP_PER_MINUTE: '0' });
  const org = await makeOrg(server, 'Conformance');
  for (const [name, script] of fit)
    await t.test(`${name}: ${script.title}`, async () =>
      runScript(script, coreOfTheWeb, await appOf(server, org.client, script)),
    );
});

t.test('a script that is not so fails', async (t) => {
  const [, script] = scripts.find(([name]) => name === 'init') as readonly [string, Script];
  const broken = (change: (text: string) => string): Script =>
    JSON.parse(change(JSON.stringify(script))) as Script;
  const run = (one: Script) => runScript(one, coreOfTheWeb, madeUpServer);
  await t.rejects(
    run(broken((text) => text.replace('/v1/sdk/flags', '/v1/sdk/flag'))),
    /another call/,
  );
  await t.rejects(run(broken((text) => text.replace('"timezone"', '"zone"'))), /timezone/);
  await t.rejects(run({ ...script, steps: script.steps.slice(0, 5) }), /must not make/);
});

t.test('the answers of limits that scripts give are those of the server', async (t) => {
  const server = await sharedServer(t, { ENGAGE_PER_IP_PER_MINUTE: '3' });
  const call = () => client(server.url).call('GET /v1/sdk/app/app_none');
  let reply = await call();
  for (let made = 0; made < 4 && reply.status !== 429; made++) reply = await call();
  t.match(reply, {
    status: 429,
    headers: { 'retry-after': /^\d+$/ },
    json: { code: 'rate_limited' },
  });
});
