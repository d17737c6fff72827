// Idempotency keys of calls that create an object: what the first call made is read again, so a
// retry creates nothing. Others may have changed it since, so a caller who may not read it gets its
// id alone. Sends, logins and client workspaces answer their retries themselves.

import { fault } from '../../actors/faults.ts';
import { FaultError } from '../../engine/base/fault.ts';
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
    const seen = mayRead(read, parts.grant) ? (body as object) : unchangeable(body as object);
    const whole = alias === undefined ? seen : { ...seen, [alias]: id };
    return { status, body: whole, headers: [['x-idempotent-replay', 'true']] };
  } catch (failed) {
    if (failed instanceof FaultError && failed.fault.code === 'not_found')
      throw new FaultError(
        fault('wrong_state', `${id}, which this idempotency key created, was deleted`),
      );
    throw failed;
  }
}

function mayRead({ access }: Route, grant: CallParts['grant']): boolean {
  if (access.kind !== 'key' || grant === undefined) return true;
  return access.anyOf.some((scope) => grant.scopes.includes(scope));
}

/** What nobody can have changed since. */
function unchangeable(body: { readonly id?: unknown; readonly createdAt?: unknown }): object {
  const { id, createdAt } = body;
  return createdAt === undefined ? { id } : { id, createdAt };
}

type CallParts = ConstructorParameters<typeof Call>[0];

function shownOnce(id: string, prefix: string) {
  const what = prefix === 'key' ? 'API key' : 'key';
  return fault(
    'wrong_state',
    `this idempotency key has created the ${what} ${id}, whose text was shown only then; delete it and create another`,
  );
}
