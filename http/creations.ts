// Idempotency keys of calls that create an object: what the first call made is read again, so a
// retry creates nothing. Sends, logins and client workspaces answer their retries themselves.

import { fault } from '../actors/faults.ts';
import { FaultError } from '../engine/base/fault.ts';
import { Call, type Creates, ReplayOf } from './call.ts';
import { chooseKey, claimOf } from './idempotency.ts';
import type { Reply, Route } from './route.ts';

/** `undefined` without a key, or if the route creates nothing. Throws a fault on an invalid key. */
export function creationOf(
  { creates }: Route,
  path: string,
  header: string | undefined,
  sent: unknown,
): Creates | undefined {
  if (creates === undefined || header === undefined) return undefined;
  chooseKey(header, undefined);
  return {
    kind: creates.kind,
    prefix: creates.prefix,
    claimAt: (owner) => claimOf(owner, path, header, (sent ?? {}) as Record<string, never>),
  };
}

/** Routes that read one object, by path. */
export function readersOf(routes: readonly Route[]): ReadonlyMap<string, Route> {
  return new Map(routes.filter(({ method }) => method === 'GET').map((one) => [one.path, one]));
}

/** The answer to an error of a handler, if it says that the object was created before. */
export async function replayed(
  route: Route,
  parts: CallParts,
  error: unknown,
  readers: ReadonlyMap<string, Route>,
): Promise<Reply> {
  if (!(error instanceof ReplayOf)) throw error;
  const { prefix, alias } = route.creates ?? {};
  const read = readers.get(route.creates?.read ?? '');
  if (read === undefined) throw new FaultError(shownOnce(error.id, prefix ?? ''));
  const app = parts.params['appId'] ?? error.id;
  const { id } = error;
  const params = read.path.includes('/:appId') ? { appId: app, id, key: id, idOrName: id } : { id };
  try {
    const call = new Call({ ...parts, params, query: undefined });
    const { body } = await read.handle(call as never);
    const status = 201 in route.responses && !(200 in route.responses) ? 201 : 200;
    const whole = alias === undefined ? body : { ...(body as object), [alias]: id };
    return { status, body: whole, headers: [['x-idempotent-replay', 'true']] };
  } catch (failed) {
    if (failed instanceof FaultError && failed.fault.code === 'not_found')
      throw new FaultError(
        fault('wrong_state', `${id}, which this idempotency key created, was deleted`),
      );
    throw failed;
  }
}

type CallParts = ConstructorParameters<typeof Call>[0];

function shownOnce(id: string, prefix: string) {
  const what = prefix === 'key' ? 'API key' : 'key';
  return fault(
    'wrong_state',
    `this idempotency key has created the ${what} ${id}, whose text was shown only then; delete it and create another`,
  );
}
