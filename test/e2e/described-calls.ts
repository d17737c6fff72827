// Calls made from the API description: each operation with its own examples, every id in path,
// query and body replaced by one of a world that the test chooses. What an id is follows from its
// prefix, and in a path from the segment before it. A path parameter or an id of an unknown kind
// throws: a new route has to be taught here before its tests mean anything.

import { formatId, parseId } from '../../engine/base/id.ts';
import type { OpenApiDocument, OpenApiOperation } from '../../http/describe/openapi-types.ts';

const kinds = [
  'app',
  'sub',
  'dev',
  'ntf',
  'dl',
  'seg',
  'msg',
  'tpl',
  'ast',
  'flg',
  'iam',
  'cmp',
  'dry',
  'jrn',
  'la',
  'key',
  'external',
  'org',
  'client',
  'whd',
  'inv',
  'mbr',
  'blk',
  'dbt',
  'ses',
  'rel',
  /** Of an org. */
  'shared',
] as const;
export type IdKind = (typeof kinds)[number];

/** Everything of one app, an id of each kind; `external` is a caller's own id of a person. */
export type World = Readonly<Record<IdKind, string>>;

/** One operation of the description. */
export interface Operation {
  /** `GET /v1/apps/{appId}`. */
  readonly line: string;
  readonly method: string;
  readonly path: string;
  readonly spec: OpenApiOperation;
}

/** Every operation, in the order of the description. */
export function operationsOf(document: OpenApiDocument): readonly Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, spec]) => {
      const verb = method.toUpperCase();
      return { line: `${verb} ${path}`, method: verb, path, spec };
    }),
  );
}

/** Query parameters that make a call whole, and those that take an id. */
export const queries: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'DELETE /v1/apps/{appId}/suppressions': { channel: 'email', address: 'opted-out@example.com' },
  'GET /v1/apps/{appId}/events': { subscriberId: idOf('sub') },
  'GET /v1/apps/{appId}/live-activities': { subscriberId: idOf('sub') },
  'GET /v1/apps/{appId}/live': { topics: 'limits', seconds: '1' },
  'GET /tls/ask': { domain: 'links.acme.example' },
  'GET /v1/campaigns/stats': { ids: idOf('cmp') },
  'GET /v1/campaigns/export': { appId: idOf('app') },
  'GET /v1/insights/event-trends': { appId: idOf('app') },
  'GET /v1/insights/engagement-heatmap': { appId: idOf('app') },
  'GET /v1/insights/channel-health': { appId: idOf('app') },
  'GET /v1/insights/mailbox-providers': { appId: idOf('app') },
  'GET /v1/insights/delivery-failures': { appId: idOf('app') },
  'GET /v1/insights/subscriber-growth': { appId: idOf('app') },
  'GET /v1/insights/retention': { appId: idOf('app') },
  'GET /v1/insights/rfm': { appId: idOf('app') },
  'GET /v1/apps/{appId}/segments/{id}/explain': { subscriberId: idOf('sub') },
  'GET /v1/apps/{appId}/flags/{key}/evaluate': { subscriberId: idOf('sub') },
  ...ofApp('PUT', '/compat/customerio/api/v1/customers/{customerId}'),
  ...ofApp('DELETE', '/compat/customerio/api/v1/customers/{customerId}'),
  ...ofApp('POST', '/compat/customerio/api/v1/customers/{customerId}/events'),
  ...ofApp('PUT', '/compat/customerio/api/v1/customers/{customerId}/devices'),
  ...ofApp('DELETE', '/compat/customerio/api/v1/customers/{customerId}/devices/{token}'),
  ...ofApp('POST', '/compat/customerio/api/v1/events'),
  ...ofApp('POST', '/compat/customerio/api/v1/send/email'),
};

function ofApp(method: string, path: string) {
  return { [`${method} ${path}`]: { appId: idOf('app') } };
}

/** An id of this kind that the examples of the description carry. */
export function idOf(kind: IdKind): string {
  if (kind === 'external') return 'customer-42';
  if (kind === 'shared') return idOf('rel');
  return `${kind}_${'0'.repeat(26)}`;
}

/** The bodies that the description gives as examples; one `undefined` where there is no body. */
export function examplesOf({ spec }: Operation): readonly unknown[] {
  const examples = Object.values(spec.requestBody?.content['application/json']?.examples ?? {}).map(
    ({ value }) => value,
  );
  return examples.length === 0 ? [undefined] : examples;
}

const kindOfSegment: Readonly<Record<string, IdKind>> = {
  apps: 'app',
  subscribers: 'sub',
  customers: 'external',
  devices: 'dev',
  notifications: 'ntf',
  segments: 'seg',
  messages: 'msg',
  assets: 'ast',
  'message-templates': 'tpl',
  flags: 'flg',
  'in-app-messages': 'iam',
  campaigns: 'cmp',
  'dry-run': 'dry',
  journeys: 'jrn',
  'live-activities': 'la',
  keys: 'key',
  orgs: 'org',
  clients: 'client',
  'webhook-deliveries': 'whd',
  invoices: 'inv',
  members: 'mbr',
  memberships: 'org',
  bulk: 'blk',
  doubtful: 'dbt',
  sessions: 'ses',
  relays: 'rel',
  'org/relays': 'shared',
};

/** The head of a GIF, which is all that is read of a file. */
const picture = 'GIF89a\x01\0\x01\0\0\0\0';

/**
 * The line and the body of a call, every id in it taken from the world that `pick` gives for its
 * kind.
 */
export function fill(
  operation: Operation,
  example: unknown,
  pick: (kind: IdKind) => World,
): [line: string, body: object | string | undefined] {
  const segments = operation.path.split('/');
  const path = segments.map((segment, index) => {
    if (!segment.startsWith('{')) return segment;
    const [of = '', many = ''] = segments.slice(index - 2, index);
    const kind = kindOfSegment[`${of}/${many}`] ?? kindOfSegment[many];
    if (kind !== undefined) return pick(kind)[kind];
    const name = segment.slice(1, -1);
    if (name === 'type') return 'webhook';
    const given = operation.spec.parameters?.find((one) => one.name === name)?.example;
    if (given === undefined) throw new Error(`what is ${segment} of ${operation.line}?`);
    return String(given);
  });
  const query = new URLSearchParams(
    Object.entries(queries[operation.line] ?? {}).map(([name, value]): [string, string] => [
      name,
      swap(value, pick),
    ]),
  );
  const line = `${operation.method} ${path.join('/')}${query.size > 0 ? `?${query}` : ''}`;
  if (operation.spec.requestBody?.content['image/gif'] !== undefined) return [line, picture];
  return [line, example === undefined ? undefined : (swapAll(example, pick) as object)];
}

/** The kinds of ids that a call carries, each once. */
export function slotsOf(operation: Operation, example: unknown): readonly IdKind[] {
  const found = new Set<IdKind>();
  const spy = new Proxy({} as World, { get: (_target, kind) => `${String(kind)}_x` });
  fill(operation, example, (kind) => {
    found.add(kind);
    return spy;
  });
  return [...found];
}

function swapAll(value: unknown, pick: (kind: IdKind) => World): unknown {
  if (typeof value === 'string') return swap(value, pick);
  if (Array.isArray(value)) return value.map((one) => swapAll(one, pick));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, swapAll(one, pick)]));
}

function swap(text: string, pick: (kind: IdKind) => World): string {
  if (text === idOf('external')) return pick('external').external;
  const kind = /^([a-z]+)_[0-9a-hjkmnp-tv-z]{26}$/.exec(text)?.[1];
  if (kind === undefined) return text;
  if (!kinds.some((known) => known === kind))
    throw new Error(`an id of a kind that is not known here: ${text}`);
  return pick(kind as IdKind)[kind as IdKind];
}

let nobodies = 0;

/** Ids in the right form that never existed. */
export function unknownWorld(own: World): World {
  const parts = parseId('app', own.app);
  if (parts === undefined) throw new Error(`${own.app} is no id`);
  // The same slot, so the same actor is asked.
  const app = formatId('app', { ...parts, ordinal: parts.ordinal + 4096 * 1000 });
  const ids = Object.entries(own).map(([kind, id]) => [kind, changed(id)]);
  return { ...(Object.fromEntries(ids) as World), app, external: `nobody-${nobodies++}` };
}

function changed(id: string): string {
  const from = id.length - 8;
  return `${id.slice(0, from)}${[...id.slice(from)].map((letter) => (letter === '7' ? '8' : '7')).join('')}`;
}
