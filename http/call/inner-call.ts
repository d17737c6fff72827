// Runs a route for the caller of a tool, in this process: scope, lane, validation and handler, by
// the code that serves the route itself. So a tool can do what its key can, and nothing else.

import { FaultError } from '../../engine/base/fault.ts';
import { accessRefusal } from './admission/gate.ts';
import { parseBody, parseQuery } from './body/input.ts';
import { Call } from './call.ts';
import type { Reply, Route } from './route.ts';

/** What a request to the route would have in its path, query and body. */
export interface RouteInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
}

const asJson = {
  header: (name: string) => (name === 'content-type' ? 'application/json' : ''),
  query: '',
};

/** The route's reply to the caller. Throws its refusals. */
export async function callRoute(caller: Call, route: Route, input: RouteInput): Promise<Reply> {
  refuseScopes(caller, [route]);
  charge(caller, route);
  return await handle(caller, route, input);
}

/** Throws unless the caller's key or session opens all these routes. */
export function refuseScopes({ edge, grant }: Call, routes: readonly Route[]): void {
  if (grant === undefined) return;
  for (const route of routes) {
    const refusal = accessRefusal(edge, route, grant);
    if (refusal !== undefined) throw new FaultError(refusal);
  }
}

/** Without the checks of scope and lane: for what another route has just shown this caller. */
export async function handle(caller: Call, route: Route, input: RouteInput): Promise<Reply> {
  const bytes = Buffer.from(input.body === undefined ? '' : JSON.stringify(input.body));
  const params = input.params ?? {};
  const call = new Call({
    ...parseBody(route, asJson, bytes, params),
    edge: caller.edge,
    method: route.method,
    params,
    query: parseQuery(route, new URLSearchParams(input.query).toString()),
    grant: caller.grant,
    actor: route.method === 'GET' ? undefined : caller.actor,
    bytes,
    requestId: caller.requestId,
    target: route.path,
    who: caller.who,
    lane: 'express',
    // Headers belong to the request that carried the tool call, not to this one.
    header: () => undefined,
  });
  return await route.handle(call as never);
}

/** The request paid for the standard lane, so only other lanes are charged here. */
function charge({ edge, grant }: Call, { lane }: Route): void {
  if (grant === undefined || lane !== 'transactional') return;
  const { refusal } = edge.admission.charge(grant, lane, 1);
  if (refusal !== undefined) throw new FaultError(refusal);
}
