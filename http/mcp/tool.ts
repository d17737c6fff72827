// A tool as one value, and how one is made of a route: its arguments are the route's path
// parameters, query and body, by the route's own schemas, and the route judges them.

import { z } from 'zod';
import { unsupportedFault } from '../../actors/faults.ts';
import type { AccountsProtocol } from '../../actors/tenants/accounts/protocol.ts';
import { FaultError, fieldFault } from '../../engine/base/fault.ts';
import { faultOfIssues } from '../call/answer/errors.ts';
import { isContent, unsupportedIn, unsupportedParts } from '../call/body/unsupported-content.ts';
import type { Call } from '../call/call.ts';
import { callRoute, type RouteInput } from '../call/inner-call.ts';
import type { Reply, Route } from '../call/route.ts';
import { appIdInput } from '../routes/named-app.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/** What a tool returns: one paragraph, and the data that it summarizes. */
export interface ToolAnswer {
  /** Our own sentences. Values that people chose stand in JSON strings only. */
  readonly text: string;
  readonly data: object;
}

/**
 * `reads`: changes nothing. `adds`: makes something that harms nothing. `sends`: reaches people,
 * which nobody can undo. `sends_once`: the same, and a repeated call does not send again.
 */
type Effect = 'reads' | 'adds' | 'sends' | 'sends_once';

interface ToolHead {
  /** As a client names it: `create_campaign`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: Effect;
}

export interface Tool extends ToolHead {
  /** The routes that it calls; the key needs the scopes of all. */
  readonly routes: readonly Route[];
  readonly input: z.ZodRawShape;
  run(caller: Call, args: Arguments): Promise<ToolAnswer>;
}

const shownCharsMax = 64;

/** Throws a fault for an argument that the tool does not have: it may be a misspelled guard. */
export function refuseUnknownArguments({ name, input }: Tool, args: Arguments): void {
  const all = Object.keys(args).filter((argument) => !Object.hasOwn(input, argument));
  if (isContent(Object.keys(input))) for (const name of all) refuseUnsupported(name, args[name]);
  const [unknown] = all;
  if (unknown === undefined) return;
  throw new FaultError(
    fieldFault(
      unknown.slice(0, shownCharsMax),
      `is not an argument of ${name}; expected one of ${Object.keys(input).join(', ')}`,
    ),
  );
}

/** Throws a fault for what other services send with an email, as the routes do. */
function refuseUnsupported(name: string, value: unknown): void {
  const why = unsupportedIn(name, value);
  if (why !== undefined) throw new FaultError(unsupportedFault({ field: name, warning: why }));
  for (const [inner, reason] of unsupportedParts(name, value))
    throw new FaultError(unsupportedFault({ field: `${name}.${inner}`, warning: reason }));
}

interface RouteTool<Body> extends ToolHead {
  readonly route: Route;
  /** Arguments that name path parameters. */
  readonly params?: Readonly<Record<string, string>>;
  /** Always sent, and no arguments. */
  readonly query?: Readonly<Record<string, string>>;
  readonly text: (body: Body, args: Arguments) => string;
  /** Default: the body as it is. */
  readonly data?: (body: Body, args: Arguments, reply: Reply) => object;
}

/** A tool that is one route. `Body` is the type of the route's successful response. */
export function routeTool<Body extends object>(declared: RouteTool<Body>): Tool {
  const { route, params = {}, query = {}, text, data = (body) => body, ...head } = declared;
  const taken = routeArguments(route, params, query);
  return {
    ...head,
    routes: [route],
    input: taken.shape,
    async run(caller, args) {
      const reply = await callRoute(caller, route, taken.input(caller, args));
      const body = reply.body as Body;
      return { text: text(body, args), data: data(body, args, reply) };
    },
  };
}

/** The arguments of a tool that calls `route`: their schemas, and the request that they make. */
export function routeArguments(
  route: Route,
  params: Readonly<Record<string, string>>,
  always: Readonly<Record<string, string>> = {},
) {
  const ids = Object.fromEntries(
    Object.entries(params).map(([name, param]) => [name, idArgument(route, name, param)]),
  );
  const path = z.object(ids);
  const body = shapeOf(route.body);
  const query = Object.fromEntries(
    Object.entries(shapeOf(route.query)).filter(([name]) => !Object.hasOwn(always, name)),
  );
  return {
    shape: { ...ids, ...query, ...body },
    input(caller: Call, args: Arguments): RouteInput {
      const named = pathOf(path, caller, args);
      const inPath = Object.entries(params).map(([name, param]) => [param, named[name] ?? '']);
      return {
        params: Object.fromEntries(inPath),
        query: { ...queryOf(pick(args, query)), ...always },
        ...(route.body === undefined ? {} : { body: pick(args, body) }),
      };
    },
  };
}

function idArgument({ params = {} }: Route, name: string, param: string): z.ZodType {
  if (name === 'appId') return appIdInput;
  return z
    .string()
    .min(1)
    .max(512)
    .describe(params[param] ?? '');
}

function shapeOf(schema: z.ZodType | undefined): z.ZodRawShape {
  return schema instanceof z.ZodObject ? schema.shape : {};
}

/** The arguments of a call, with the app of an org that has only one for an absent `appId`. */
export async function withOnlyApp({ input }: Tool, caller: Call, args: Arguments) {
  const isNamed = args['appId'] != null || caller.grant?.appId != null;
  if (isNamed || !Object.hasOwn(input, 'appId') || caller.grant === undefined) return args;
  const apps = await caller.to<AccountsProtocol>(caller.org).ask('app.list', {});
  const [only] = apps;
  return apps.length === 1 && only !== undefined ? { ...args, appId: only.id } : args;
}

/** The arguments of the path, with the key's own app for an absent `appId`. Throws a fault. */
function pathOf(
  path: z.ZodObject,
  caller: Call,
  args: Arguments,
): Readonly<Record<string, unknown>> & Readonly<Record<string, string>> {
  const isOfApp = Object.hasOwn(path.shape, 'appId');
  const appId = args['appId'] ?? caller.grant?.appId ?? undefined;
  if (isOfApp && appId === undefined) {
    throw new FaultError(
      fieldFault(
        'appId',
        'expected an app id: only a key of one app, or of an org with one app, may omit it',
      ),
    );
  }
  const parsed = path.safeParse({ ...args, appId }, { reportInput: true });
  if (!parsed.success) throw new FaultError(faultOfIssues(parsed.error, 'body'));
  return parsed.data as Record<string, string>;
}

function pick(args: Arguments, shape: z.ZodRawShape): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).filter(([name]) => Object.hasOwn(shape, name)));
}

/** As a query string would carry them; `null` counts as absent, as in bodies. Throws a fault. */
function queryOf(args: Arguments): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, value] of Object.entries(args)) {
    if (value == null) continue;
    if (typeof value === 'object')
      throw new FaultError(fieldFault(name, 'expected a string or a number'));
    query[name] = String(value);
  }
  return query;
}
