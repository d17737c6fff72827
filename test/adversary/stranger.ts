// The adversary of this suite: a stranger who knows an app's id, every public id in it and every
// public route, has as many network addresses as wanted, and no key.
//
// A case is one attempt, and its name is the guarantee: `one address cannot fill the disk`. It has
// three parts: the attempt over HTTP, the answer to the stranger, and what the tenant can still do.
// Each file is one thing to attack (`storage.test.ts`, `names.test.ts`). They share a server, which
// sees a client's address in `x-forwarded-for`, as behind one proxy.

import type { Test } from 'tap';
import {
  type Client,
  client,
  freePorts,
  makeOrg,
  type RunningServer,
  sharedServer,
  type TestOrg,
} from '../support/server.ts';

/** A server with a tenant who has done nothing wrong. */
export interface Victim {
  readonly server: RunningServer;
  readonly org: TestOrg;
  /** Public: it is in every page and app that embeds the SDK. */
  readonly app: string;
  /** Path of the app for the tenant's own calls. */
  readonly base: string;
  /** The tenant, with every scope. */
  readonly api: Client;
}

/** Where the server takes events alone: ingest-port.test.ts. */
export const [ingestPort] = await freePorts(1);

/** A tenant without limits on the shared server. No address limits calls unless told. */
export async function victim(
  t: Test,
  environment: Readonly<Record<string, string>> = {},
): Promise<Victim> {
  const server = await sharedServer(t, {
    ENGAGE_TRUSTED_PROXIES: '1',
    ENGAGE_PER_IP_PER_MINUTE: '1000000',
    ENGAGE_INGEST_PORT: String(ingestPort),
    ...environment,
  });
  const org = await makeOrg(server, 'Victim');
  const { id: app } = await org.client.must('POST /v1/apps', { name: 'Victim' });
  return { server, org, app, base: `/v1/apps/${app}`, api: org.client };
}

/** The stranger's client at one of 16,777,216 addresses; the same number is the same address. */
export function stranger({ server }: Pick<Victim, 'server'>, address = 1): Client {
  const [a, b, c] = [address >>> 16, (address >>> 8) & 255, address & 255];
  return client(server.url, '', { 'x-forwarded-for': `10.${a & 255}.${b}.${c}` });
}

/** A body for `POST /e` with one event per name and person. */
export function eventsOf(
  { app }: Pick<Victim, 'app'>,
  events: readonly { readonly name?: string; readonly [member: string]: unknown }[],
): { readonly appId: string; readonly events: readonly object[] } {
  return { appId: app, events: events.map((event) => ({ name: 'seen', ...event })) };
}
