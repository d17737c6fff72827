// The route table as OpenAPI 3.1, from the schemas that validate requests, so it cannot drift.
// Errors follow from the route: access brings 401 and 403, a body 400, 413 and 415, a lane 429.

import type { FaultCode } from '../../actors/faults.ts';
import { faultTable } from '../../actors/faults.ts';
import { limits } from '../../actors/limits.ts';
import { warnedSchema } from '../call/answer/warnings.ts';
import type { RouteResponse } from '../call/route.ts';
import { exampleIds } from '../call/schemas/example-ids.ts';
import { type JsonSchema, SchemaComponents } from '../call/schemas/json-schema.ts';
import { errorSchema } from '../call/schemas/schemas.ts';
import type {
  OpenApiContent,
  OpenApiDocument,
  OpenApiExamples,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiResponse,
  Operation,
} from './openapi-types.ts';
import { describedWebhooks } from './openapi-webhooks.ts';

/** As served at `serverUrl`. Throws if two named schemas differ. */
export function openApiDocument(
  operations: readonly Operation[],
  serverUrl: string,
): OpenApiDocument {
  const components = new SchemaComponents();
  const error = components.add(errorSchema, 'output');
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}');
    const methods = (paths[path] ??= {});
    methods[operation.method.toLowerCase()] = describe(operation, components);
  }
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  return {
    openapi: '3.1.0',
    info: { title: 'Engage API', version: '1', description: introduction },
    servers: [{ url: serverUrl }],
    tags: tags.map((name) => ({ name, ...describedTag(name) })),
    paths,
    webhooks: describedWebhooks(components),
    components: {
      schemas: components.schemas,
      responses: refusalResponses(error),
      headers,
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, `ek_…`.' },
        otherKey: {
          type: 'http',
          scheme: 'basic',
          description:
            'An API key as libraries of other services show it: the password, with the app id as the username.',
        },
        bootstrap: {
          type: 'http',
          scheme: 'bearer',
          description:
            "The operator's bootstrap token: the value of `ENGAGE_BOOTSTRAP_TOKEN`, or of the file `bootstrap-token` in the data directory.",
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-engage',
          description:
            'A session in the dashboard, from `POST /v1/session`; on plain http the cookie is `engage`.',
        },
        clientToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'A client token, `ct_…`, returned by `POST /v1/sdk/subscriber`.',
        },
        writeKey: {
          type: 'http',
          scheme: 'basic',
          description: "An app's write key, `wk_…`, as the username; the password is empty.",
        },
      },
    },
  };
}

const introduction = `Engage sends messages to people over many channels and records the results.

**Authentication.** Send an API key as \`Authorization: Bearer <API_KEY>\`. A key belongs to an org or to one app, and carries one or more of the scopes \`read\`, \`write\`, \`send\` and \`admin\`. No scope implies another. In calls of the dashboard's own page, the cookie of a session stands for a key with the scopes of the person who signed in.

**Errors.** Every error response is \`{error, code, field?, issues?}\`: a message that says what to fix, a stable code for programs, and the field that is wrong. Objects of another org or app are a 404. Unknown fields in a body are ignored, and the answer names them: \`warnings: [{field, warning}]\`, with what you may have meant, and their number in the header \`x-engage-warnings\`. With \`?strict=true\` or the header \`x-engage-strict: true\` they are a 400, \`unknown_field\`. What changes an email and cannot be sent (\`attachments\`, \`cc\`, \`bcc\`, \`replyTo\`, \`headers\`) is always a 400, \`unsupported\`. A query parameter that is unknown or appears twice is a 400, because it may have been meant as a filter. Routes without an API key (\`/v1/sdk/\`) are the exception, because released apps cannot be fixed: unknown parameters are ignored there, and of a repeated one the last counts.

**Versions.** Everything that can be changed has an \`etag\`, also in lists, and its read the header \`ETag\`. Send it back as \`If-Match\` with PATCH, PUT and DELETE: if someone else changed the object since you read it, the answer is a 412 \`changed\` that says who and when, and nothing is overwritten. What nobody edits, such as counts and progress, does not change the tag, so there is no 304.

**Lists.** Lists take \`limit\` (1 to ${limits.pageMax}, default ${limits.pageDefault}) and \`cursor\`, and return \`{items, nextCursor}\`; \`nextCursor\` is \`null\` on the last page.

**Rate limits.** Each org has two lanes: transactional and standard. Every response shows the state of its lane in \`x-ratelimit-*\` headers. Above the limit the response is a 429 with \`Retry-After\`.

**Times** are RFC 3339 in UTC with milliseconds. **Bodies** are JSON of at most 1 MiB.`;

const tagWords: Readonly<Record<string, string>> = {
  Notifications:
    'Send one message, or a batch, immediately. Marketing policy (quiet hours, frequency caps) does not apply.',
  Subscribers: 'People, their devices and their tags.',
  Suppressions: 'Opt-outs by address. Every send honors them, even transactional ones.',
  Tracking: 'Open and click tracking in emails. Opened by recipients, never by API clients.',
  'Provider callbacks':
    'Called by providers, never by API clients. Each provider signs its requests in its own way.',
  Campaigns:
    'Send one message, or variants of it, to a segment, a filter or everyone: now, at a set time, or on a recurring schedule.',
  Journeys:
    'Automated flows. A person enters on an event or a segment, then moves through waits, sends, branches and goals.',
  Events: 'What people did, and the receipts of what was sent to them.',
  SDK: 'Called by your apps and web pages, without an API key. A client token proves who is calling; a client can change only its own records.',
  Insights: 'Analytics over all stored events. Counts are exact, never sampled.',
  Apps: 'An app is one audience with its settings.',
  Credentials: 'Your own accounts at the messaging providers.',
  Integrations: 'External services that send data to an app.',
  Keys: "The org's API keys.",
  Sessions: 'Who is signed in to the dashboard.',
  Org: 'The org and its limits.',
  Billing:
    'What usage costs, invoices, and the payment method. Card data stays with the payment provider.',
  'Other services':
    'Routes in the form of other services, for their libraries with another address. Each does what a route above does, with its scopes and limits; errors have the fields of that service in addition to the usual ones.',
  'Agent tools': 'For assistants and other programs that speak the Model Context Protocol.',
  Health: 'Health checks for load balancers and supervisors.',
};

function describedTag(name: string): { readonly description?: string } {
  const description = tagWords[name];
  return description === undefined ? {} : { description };
}

function describe(operation: Operation, components: SchemaComponents): OpenApiOperation {
  const { access, description, summary, tag, lane } = operation;
  const parameters = parametersOf(operation, components);
  return {
    operationId: operation.name ?? operationIdOf(operation),
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...bodyOf(operation, components),
    responses: responsesOf(operation, components),
    security: securityOf(operation),
    'x-engage-lane': lane,
    'x-engage-scopes': access.kind === 'key' ? access.anyOf : [],
  };
}

function securityOf({
  access,
  optionalKey,
  writeKey,
  clientToken,
  keyForm,
}: Operation): OpenApiOperation['security'] {
  if (writeKey === true) return [{ writeKey: [] }];
  if (clientToken === true) return [{ clientToken: [] }];
  if (keyForm !== undefined) return [{ apiKey: [] }, { otherKey: [] }];
  if (access.kind === 'key') return [{ apiKey: [] }];
  if (access.kind === 'bootstrap') return [{ bootstrap: [] }];
  if (access.kind === 'session') return [{}, { session: [] }];
  return optionalKey === true ? [{}, { apiKey: [] }, { clientToken: [] }] : [];
}

function operationIdOf({ method, path }: Operation): string {
  const words = path.split('/').filter((part) => part !== '' && part !== 'v1');
  return [method.toLowerCase(), ...words.map((word) => word.replace(':', ''))].join('_');
}

function parametersOf(operation: Operation, components: SchemaComponents): OpenApiParameter[] {
  const parameters: OpenApiParameter[] = [];
  for (const [, name] of operation.path.matchAll(/:(\w+)/g)) {
    if (name === undefined) continue;
    const example = pathExample(name, operation.path);
    parameters.push({
      name,
      in: 'path',
      required: true,
      description: operation.params?.[name] ?? (name === 'appId' ? 'App id.' : name),
      schema: { type: 'string' },
      ...(example === undefined ? {} : { example }),
    });
  }
  if (operation.query !== undefined) {
    const query = components.resolve(components.add(operation.query, 'input'));
    for (const [name, member] of Object.entries(query.properties ?? {})) {
      const { description = components.resolve(member).description, ...schema } = member;
      parameters.push({
        name,
        in: 'query',
        required: query.required?.includes(name) ?? false,
        ...(description === undefined ? {} : { description }),
        schema,
        ...(name in queryExamples ? { example: queryExamples[name] } : {}),
      });
    }
  }
  if (takesMembers(operation)) parameters.push(strictParameter);
  const { requestHeaders = {}, creates, edits } = operation;
  const read = {
    ...requestHeaders,
    ...(creates && creationHeader),
    ...(edits === undefined ? {} : ifMatchHeader),
  };
  for (const [name, description] of Object.entries(read)) {
    parameters.push({
      name,
      in: 'header',
      required: false,
      description,
      schema: { type: 'string' },
    });
  }
  return parameters;
}

const creationHeader = {
  'Idempotency-Key':
    'Makes a retry safe for 24 hours: it answers with the current state of what the first call created, and creates nothing.',
};
const ifMatchHeader = {
  'If-Match':
    'The `ETag` of the version that you read, in double quotes. If the object was changed since, the call is a 412 `changed` and changes nothing. `*`: any version. Several tags: one of them. Weak tags match nothing. Without the header, the call overwrites.',
};
const replayHeader = {
  'x-idempotent-replay':
    '`true` if the idempotency key was used before: this is the current object. A key without the scope `read` gets only its `id` and `createdAt`.',
};

const strictParameter: OpenApiParameter = {
  name: 'strict',
  in: 'query',
  required: false,
  description: '`true`: an unknown field in the body is a 400 instead of a warning.',
  schema: { type: 'boolean' },
};

/** Ids by the collection before them, `campaigns/:id`. */
const idExamples: Readonly<Record<string, string>> = {
  notifications: exampleIds.send,
  'live-activities': exampleIds.liveActivity,
  messages: exampleIds.message,
  assets: exampleIds.asset,
  campaigns: exampleIds.campaign,
  journeys: exampleIds.journey,
  'in-app-messages': exampleIds.inApp,
  segments: exampleIds.segment,
  subscribers: exampleIds.subscriber,
  bulk: exampleIds.bulkChange,
  doubtful: exampleIds.doubtful,
  sessions: exampleIds.session,
  keys: exampleIds.key,
  relays: exampleIds.relay,
  orgs: exampleIds.org,
  clients: exampleIds.client,
  members: exampleIds.member,
  invoices: exampleIds.invoice,
};

const otherExamples: Readonly<Record<string, string>> = {
  idOrName: exampleIds.template,
  dryRunId: exampleIds.dryRun,
  deviceId: exampleIds.device,
  deliveryId: exampleIds.webhookDelivery,
  key: 'new-checkout',
  type: 'webhook',
  token: 'token-of-an-email',
  formId: exampleIds.form,
  relayId: exampleIds.relay,
  customerId: 'customer-42',
  call: 'identify',
  stepId: 'welcome',
  domain: 'acme.example',
  channel: 'carrier',
  org: exampleIds.org,
  appId: exampleIds.app,
};

const queryExamples: Readonly<Record<string, string>> = {
  appId: exampleIds.app,
  app: exampleIds.app,
  send: exampleIds.send,
  device: exampleIds.device,
  subscriberId: 'external:customer-42',
  channel: 'email',
  address: 'ada@example.com',
};

function pathExample(name: string, path: string): string | undefined {
  if (name === 'id') return idExamples[/\/([^/]+)\/:id/.exec(path)?.[1] ?? ''];
  if (name === 'name') return path.includes('/event-names') ? 'page_viewed' : 'lifetime_value';
  return otherExamples[name];
}

function bodyOf(
  { body, rawBody, optionalBody, anyContentType, fileTypes }: Operation,
  components: SchemaComponents,
): Pick<OpenApiOperation, 'requestBody'> | undefined {
  if (fileTypes !== undefined) {
    const files = fileTypes.map((type) => [type, { schema: {} }] as const);
    return { requestBody: { required: true, content: Object.fromEntries(files) } };
  }
  if (body === undefined || rawBody === true) return undefined;
  const content = {
    ...jsonContent(body, 'input', components),
    ...(anyContentType === true ? otherContent : {}),
  };
  return { requestBody: { required: optionalBody !== true, content } };
}

/** The same JSON for callers that cannot declare it. */
const otherContent: OpenApiContent = {
  'text/plain': {
    schema: {
      type: 'string',
      contentMediaType: 'application/json',
      description: 'The same JSON, sent as text, as `navigator.sendBeacon` does.',
    },
  },
  '*/*': {
    schema: {
      type: 'string',
      contentMediaType: 'application/json',
      description: 'The same JSON; the declared content type is ignored.',
    },
  },
};

function jsonContent(
  schema: NonNullable<Operation['body']>,
  io: 'input' | 'output',
  components: SchemaComponents,
  warns = false,
): OpenApiContent {
  const described = components.add(schema, io);
  const { examples = [] } = components.resolve(described);
  const { examples: _moved, ...rest } = described;
  const named = examples.map((value, index) => [
    index === 0 ? 'example' : `example${index + 1}`,
    { value },
  ]);
  return {
    'application/json': {
      schema: warns ? { allOf: [rest, components.add(warnedSchema, 'output')] } : rest,
      ...(named.length === 0 ? {} : { examples: Object.fromEntries(named) as OpenApiExamples }),
    },
  };
}

function responsesOf(
  operation: Operation,
  components: SchemaComponents,
): Record<string, OpenApiResponse> {
  const responses: Record<string, OpenApiResponse> = {};
  for (const [status, response] of Object.entries(operation.responses)) {
    responses[status] = answerOf(operation, response, components);
  }
  for (const status of refusalsOf(operation)) {
    const name = refusalName(status, tellsLane(operation, status));
    responses[status] ??= { $ref: `#/components/responses/${name}` };
  }
  return responses;
}

function answerOf(
  operation: Operation,
  { description, schema, contentType, headers: own = {} }: RouteResponse,
  components: SchemaComponents,
): OpenApiResponse {
  const names = headerNames(tellsLane(operation, 200));
  const texts = [contentType ?? []].flat().map((type) => [type, { schema: { type: 'string' } }]);
  const warns = takesMembers(operation);
  const isTagged =
    schema !== undefined &&
    components.resolve(components.add(schema, 'output')).properties?.['etag'] !== undefined;
  const content = {
    ...(schema === undefined ? {} : jsonContent(schema, 'output', components, warns)),
    ...Object.fromEntries(texts),
  };
  return {
    description,
    headers: {
      ...referred([
        ...names,
        ...(warns ? ['x-engage-warnings'] : []),
        ...(isTagged ? ['etag'] : []),
      ]),
      ...Object.fromEntries(
        Object.entries({ ...own, ...(operation.creates && replayHeader) }).map(
          ([name, meaning]) => [name, { description: meaning, schema: { type: 'string' } }],
        ),
      ),
    },
    ...(Object.keys(content).length === 0 ? {} : { content }),
  };
}

/** Whether its answers tell which members of the body were not known. */
function takesMembers({ body, rawBody, anyContentType, namesUnknown }: Operation): boolean {
  if (anyContentType === true) return namesUnknown === true;
  return body !== undefined && rawBody !== true;
}

/** Every response to a call with a valid key has lane headers. */
function tellsLane({ access, lane }: Operation, status: number): boolean {
  return access.kind === 'key' && lane !== 'none' && status !== 401;
}

function headerNames(withLane: boolean): readonly string[] {
  const every = ['x-request-id', 'x-engage-mode'];
  return withLane ? [...every, ...laneHeaderNames] : every;
}

function referred(names: readonly string[]): Readonly<Record<string, { readonly $ref: string }>> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function refusalsOf(operation: Operation): number[] {
  const { access, lane, method, path, body, rawBody, anyContentType, edits } = operation;
  const statuses = new Set(operation.refusals);
  const add = (...more: readonly number[]) => {
    for (const status of more) statuses.add(status);
  };
  if (access.kind === 'key') add(401, 403, 500, 503);
  if (access.kind === 'bootstrap') add(401, 429, 500, 503);
  if (access.kind === 'session') add(500, 503);
  if (/^\/v1\/.*:/.test(path)) add(404); // what it names may not exist
  if (edits !== undefined) add(412);
  if (lane !== 'none') add(429);
  if (access.kind !== 'public') add(400); // at least for unknown query parameters
  if (method !== 'GET') add(413); // whatever it does with a body
  if (body !== undefined && rawBody !== true) add(400, ...(anyContentType === true ? [] : [415]));
  if (access.kind !== 'public' && method !== 'GET') add(507);
  return [...statuses].sort((a, b) => a - b);
}

function refusalName(status: number, withLane: boolean): string {
  return `${withLane ? 'Lane' : ''}Error${status}`;
}

/** Shared responses per refusal status, with their codes: with and without lane headers. */
function refusalResponses(error: JsonSchema): Record<string, OpenApiResponse> {
  const codes = Object.keys(faultTable) as FaultCode[];
  const statuses = [412, ...new Set(codes.map((code) => faultTable[code].status))];
  const responses: Record<string, OpenApiResponse> = {};
  for (const status of statuses) {
    const these = codes.filter((code) =>
      status === 412 ? code === 'changed' : faultTable[code].status === status,
    );
    for (const withLane of status === 401 ? [false] : [false, true]) {
      const retry = status === 429 || status === 503 ? ['retry-after'] : [];
      const asked = status === 401 ? ['www-authenticate'] : [];
      responses[refusalName(status, withLane)] = {
        description: these.map((code) => `\`${code}\`: ${faultTable[code].meaning}`).join('\n\n'),
        headers: referred([...headerNames(withLane), ...retry, ...asked]),
        content: {
          'application/json': {
            schema: { allOf: [error, { properties: { code: { enum: these } } }] },
          },
        },
      };
    }
  }
  return responses;
}

const text = { schema: { type: 'string' } } as const;
const headers: Readonly<Record<string, object>> = {
  'x-request-id': {
    description: "The request id: the caller's own value if valid, else a generated one.",
    ...text,
  },
  'x-engage-mode': {
    description: '`sandbox` if the server runs in sandbox mode; absent in live mode.',
    ...text,
  },
  etag: {
    description: 'The version of the object, in double quotes, for `If-Match`.',
    ...text,
  },
  'x-engage-warnings': {
    description: 'How many fields of the body were unknown and ignored; absent if none were.',
    schema: { type: 'integer' },
  },
  'x-ratelimit-lane': { description: 'The rate-limit lane that was charged.', ...text },
  'x-ratelimit-limit': {
    description: 'Units per minute in the lane. 1000000000 means unlimited.',
    schema: { type: 'integer' },
  },
  'x-ratelimit-remaining': {
    description: 'Units left now. 1000000000 in a lane without a limit.',
    schema: { type: 'integer' },
  },
  'x-ratelimit-reset': {
    description: 'Seconds until the oldest charged units are available again.',
    schema: { type: 'integer' },
  },
  'www-authenticate': {
    description: '`Bearer`; `Basic` for `/i/cdp`.',
    schema: { type: 'string' },
  },
  'retry-after': {
    description: 'Seconds to wait before retrying.',
    schema: { type: 'integer' },
  },
};
const laneHeaderNames = Object.keys(headers).filter((name) => name.startsWith('x-ratelimit-'));
