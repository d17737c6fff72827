// The demo org, app, key and person of a sandbox's first start, so that a first message is one call
// away. The routes themselves create them.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyGrant } from '../actors/tenants/accounts/protocol.ts';
import { Call } from './call.ts';
import type { Edge } from './edge.ts';
import type { Route } from './route.ts';
import { createApp } from './routes/apps/create-app.ts';
import { upsertSubscriber } from './routes/audience/upsert-subscriber.ts';
import { createOrg } from './routes/org/create-org.ts';

interface Demo {
  readonly appId: string;
  readonly apiKey: string;
}

/** The person that the reference's examples send to. */
const examplePerson = {
  externalUserId: 'customer-42',
  tags: { first_name: 'Ada' },
  devices: [{ channel: 'email', endpoint: 'customer-42@example.com' }],
};

/** Makes the demo and writes `demo.env` (0600) into the data directory. */
export async function makeDemo(edge: Edge): Promise<Demo> {
  const org = (await run(edge, createOrg, { name: 'Demo' }, undefined)) as {
    apiKey: { key: string };
  };
  const grant = (await edge.authenticator.look(org.apiKey.key)) ?? undefined;
  const app = (await run(edge, createApp, { name: 'Demo app', timezone: 'UTC' }, grant)) as {
    id: string;
  };
  await run(edge, upsertSubscriber, examplePerson, grant, { appId: app.id });
  const demo: Demo = { appId: app.id, apiKey: org.apiKey.key };
  const text = `export ENGAGE_APP=${demo.appId}\nexport ENGAGE_KEY=${demo.apiKey}\n`;
  writeFileSync(join(edge.config.dataDir, 'demo.env'), text, { mode: 0o600 });
  return demo;
}

async function run(
  edge: Edge,
  route: Route,
  body: object,
  grant: KeyGrant | undefined,
  params: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const call = new Call({
    edge,
    params,
    query: undefined,
    body,
    sent: body,
    grant,
    bytes: new Uint8Array(),
    requestId: 'demo',
    target: route.path,
    lane: 'express',
    header: () => '',
  });
  return (await route.handle(call)).body;
}
