// Where a load runs: an empty app or, with `--people=1000000`, one with people, columns and two
// saved segments, one of which counts. `--subscribed` watches both, so events may cause entries.

import { parseId } from '../../engine/base/id.ts';
import { type BenchServer, engage } from '../support/engage.ts';
import { acceptOnly, type LoadTarget, sendPeople } from '../support/loads.ts';
import { isAsked, numberOption } from '../support/options.ts';
import { copyOf, keptAudience } from './directory.ts';
import { countingFilter, nestedFilter } from './filters.ts';
import { personAt } from './population.ts';

interface Scene {
  readonly server: BenchServer;
  readonly target: LoadTarget;
  readonly people: number;
  /** People to send to: all have an email address. */
  readonly reachable: readonly string[];
  close(): Promise<void>;
}

export function isPeopled(): boolean {
  return numberOption('people', 0) > 0;
}

export async function openScene(
  environment: Readonly<Record<string, string>> = acceptOnly,
): Promise<Scene> {
  const people = numberOption('people', 0);
  if (people === 0) {
    const server = await engage(environment);
    const { key, apps } = await server.tenant(1);
    const target = { port: server.port, key, appId: apps[0] as string };
    const reachable = await makeReachable(server, target);
    return { server, target, people, reachable, close: () => server.stop() };
  }
  const copy = await copyOf(await keptAudience(people));
  const isWatched = isAsked('subscribed');
  const server = await engage(environment, { dataDir: copy.path, isAsked: isWatched });
  const target = { port: server.port, key: copy.key, appId: copy.appId };
  for (const [name, filter] of Object.entries({ nested: nestedFilter, counting: countingFilter })) {
    const path = `/v1/apps/${copy.appId}/segments`;
    const saved = await server.call('POST', path, { name, filter }, copy.key);
    if (saved.status !== 201) throw new Error(`${name}: ${JSON.stringify(saved.body)}`);
    const { id } = saved.body as { readonly id: string };
    await answeredAtOnce(server, `${path}/${id}/count`, copy.key);
    if (isWatched) await watch(server, copy.appId, id);
  }
  return {
    server,
    target,
    people,
    reachable: firstReachable(),
    async close() {
      await server.stop();
      copy.remove();
    },
  };
}

/** The app's event count so far: the number of its newest. */
export async function eventsStored(
  server: BenchServer,
  { appId, key }: LoadTarget,
): Promise<number> {
  const { status, body } = await server.call(
    'GET',
    `/v1/apps/${appId}/events?limit=1`,
    undefined,
    key,
  );
  if (status !== 200) throw new Error(`events cannot be read: ${JSON.stringify(body)}`);
  const { items } = body as { readonly items: readonly { readonly seq: number }[] };
  return items[0]?.seq ?? 0;
}

/** Waits until columns alone answer a segment: filling them would take a core of the bench. */
export async function answeredAtOnce(
  server: BenchServer,
  path: string,
  key: string,
  mostMs = 50,
): Promise<void> {
  for (let tries = 0; tries < 240; tries++) {
    const { body } = await server.call('GET', path, undefined, key);
    if ((body as { readonly tookMs: number }).tookMs < mostMs) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`${path} is still answered from history`);
}

/** Has a saved segment report everyone who enters or leaves, as for journeys. No route does. */
async function watch(server: BenchServer, appId: string, id: string): Promise<void> {
  const app = parseId('app', appId)?.ordinal;
  if (app === undefined) throw new Error(`${appId} is no app`);
  await server
    .ask(app, {
      kind: 'segment.watch',
      asked: { segmentId: id },
      follower: 'bench',
    })
    .catch((error: unknown) => {
      throw new Error('the built server lets nobody watch a segment', { cause: error });
    });
}

function firstReachable(): readonly string[] {
  const found: string[] = [];
  for (let i = 0; found.length < sendPeople; i++) {
    const { externalUserId, devices } = personAt(i);
    if (devices[0].enabled) found.push(externalUserId);
  }
  return found;
}

async function makeReachable(
  server: BenchServer,
  { appId, key }: LoadTarget,
): Promise<readonly string[]> {
  const names = Array.from({ length: sendPeople }, (_, i) => `user-${i}`);
  const rows = names.map((externalUserId, i) => ({
    externalUserId,
    tags: { first_name: `Ana ${i}` },
    devices: [{ channel: 'email', endpoint: `${externalUserId}@example.com` }],
  }));
  const { status, body } = await server.call(
    'POST',
    '/v1/import/subscribers',
    { appId, rows },
    key,
  );
  if (status !== 200 || (body as { readonly created: number }).created !== sendPeople)
    throw new Error(`people cannot be made: ${JSON.stringify(body)}`);
  return names;
}
