// The demo org, app, key, owner and person of a sandbox's first start, so that a first message is
// one call away. The routes themselves create them.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyGrant } from '../../actors/tenants/accounts/protocol.ts';
import { Call } from '../call/call.ts';
import type { Edge } from '../call/edge.ts';
import type { Route } from '../call/route.ts';
import { makeSignInLink } from '../call/session/sign-in-mail.ts';
import { createApp } from '../routes/apps/apps.ts';
import { upsertSubscriber } from '../routes/audience/subscribers.ts';
import { addMember } from '../routes/members/members.ts';
import { createOrg } from '../routes/org/create-org.ts';

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

/** Who signs in by the link that a sandbox prints. */
const demoOwner = { email: 'owner@demo.example', role: 'owner' };

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
  await run(edge, addMember, demoOwner, grant);
  const demo: Demo = { appId: app.id, apiKey: org.apiKey.key };
  const text = `export ENGAGE_APP=${demo.appId}\nexport ENGAGE_KEY=${demo.apiKey}\n`;
  writeFileSync(join(edge.config.dataDir, 'demo.env'), text, { mode: 0o600 });
  return demo;
}

/** A link that signs in to the demo org once; `undefined` once that is gone. */
export async function demoLink(edge: Edge): Promise<string | undefined> {
  const made = await makeSignInLink(edge, demoOwner.email, 'once');
  if (made !== undefined) return made.url;
  const grant = await demoGrant(edge);
  if (grant === undefined) return undefined;
  await run(edge, addMember, demoOwner, grant); // the demo of an older release has no owner
  return (await makeSignInLink(edge, demoOwner.email, 'once'))?.url;
}

/** Of the key in `demo.env`, if it still has all that its owner needs. */
async function demoGrant({ authenticator, config }: Edge): Promise<KeyGrant | undefined> {
  const file = join(config.dataDir, 'demo.env');
  if (!existsSync(file)) return undefined;
  const key = /^export ENGAGE_KEY=(\S+)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
  const grant = await authenticator.look(key);
  return grant?.scopes.includes('admin') ? grant : undefined;
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
    actor: grant?.keyObjectId ?? 'operator',
    bytes: new Uint8Array(),
    requestId: 'demo',
    target: route.path,
    lane: 'express',
    header: () => undefined,
  });
  return (await route.handle(call)).body;
}
