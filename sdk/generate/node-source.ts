// The generated file of the client for servers: every schema as a type, a group of methods for each
// tag with the types of what they take and answer, and the table that the client calls by.

import type { Description, Operation } from './client-source.ts';
import { answerOf, jsonOf } from './client-source.ts';
import {
  fileMethodNameOf,
  groupNameOf,
  methodNameOf,
  withoutMethod,
} from './method-names.ts';
import { memberName, type Schema, typeOf } from './schema-types.ts';

/** One method of the client, as the generated table has it. */
export interface Method {
  readonly group: string;
  readonly name: string;
  readonly operationId: string;
  readonly httpMethod: string;
  readonly path: string;
  readonly operation: Operation;
  /** What follows the ids of the path. */
  readonly takes: 'body' | 'bytes' | 'query' | undefined;
  readonly answers: 'json' | 'list' | 'stream';
  /** Where the client's own app id goes, if not into the path. */
  readonly app: 'query' | 'body' | undefined;
  /** Query parameters that the method itself sets. */
  readonly sets: Readonly<Record<string, string>> | undefined;
}

/** Every method, in the order of the description. */
export function methodsOf({ paths, components }: Description): readonly Method[] {
  const ids = new Set(
    Object.values(paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    ),
  );
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      isForServers(operation, ids)
        ? methodsOfOperation(path, method.toUpperCase(), operation, components.schemas)
        : [],
    ),
  );
}

/**
 * A key or the operator's token opens it, and there is no shorter route to the same: the routes
 * `…OfApp` repeat those of a campaign's own id.
 */
function isForServers({ operationId, security = [] }: Operation, ids: ReadonlySet<string>) {
  const schemes = security.flatMap((one) => Object.keys(one));
  if (!schemes.includes('apiKey') && !schemes.includes('bootstrap')) return false;
  if (withoutMethod[operationId] !== undefined) return false;
  return !(operationId.endsWith('OfApp') && ids.has(operationId.slice(0, -'OfApp'.length)));
}

function methodsOfOperation(
  path: string,
  httpMethod: string,
  operation: Operation,
  schemas: Readonly<Record<string, Schema>>,
): readonly Method[] {
  const { operationId, requestBody, tags = [] } = operation;
  const group = groupNameOf(tags[0] ?? '');
  const name = methodNameOf(operationId, group);
  const types = goodTypes(operation);
  const hasJson = types.includes('application/json');
  const hasText = types.some((type) => type.startsWith('text/') || type.endsWith('ndjson'));
  const query = queryOf(operation);
  const app = appPlaceOf(operation, schemas);
  const body = requestBody?.content;
  const own = query.filter((one) => !(one.name === 'appId' && app === 'query'));
  const takes =
    body === undefined
      ? query.length > 0
        ? 'query'
        : undefined
      : jsonOf(body) === undefined
        ? 'bytes'
        : 'body';
  if (takes === 'body' && own.length > 0)
    throw new Error(`${operationId} takes both a body and a query: teach the client where each goes`);
  const isList = httpMethod === 'GET' && query.some((one) => one.name === 'cursor');
  const base = { group, operationId, httpMethod, path, operation, takes, app } as const;
  if (!hasJson && hasText) return [{ ...base, name, answers: 'stream', sets: undefined }];
  const format = query.find((one) => one.name === 'format');
  const one = { ...base, name, answers: isList ? 'list' : 'json', sets: undefined } as const;
  if (!hasText || format === undefined) return [one];
  const file = { ...base, name: fileMethodNameOf(name), answers: 'stream' } as const;
  return [one, { ...file, sets: { format: 'csv' } }];
}

function goodTypes({ responses }: Operation): readonly string[] {
  return Object.entries(responses).flatMap(([status, { content }]) =>
    status.startsWith('2') ? Object.keys(content ?? {}) : [],
  );
}

function queryOf({ parameters = [] }: Operation) {
  return parameters.filter((one) => one.in === 'query' && one.name !== 'strict');
}

/** A filter by app is the caller's own; what only an app-scoped key may omit is the client's. */
function appPlaceOf(
  operation: Operation,
  schemas: Readonly<Record<string, Schema>>,
): 'query' | 'body' | undefined {
  const isMeant = (description: string | undefined) =>
    /\bmay (?:omit it|be omitted)|app-scoped key/i.test(description ?? '');
  const query = queryOf(operation).find((one) => one.name === 'appId');
  if (query !== undefined && (query.required === true || isMeant(query.description)))
    return 'query';
  const body = resolved(jsonOf(operation.requestBody?.content), schemas);
  const member = body?.properties?.['appId'];
  if (member === undefined) return undefined;
  return operation.operationId === 'trackEvents' || isMeant(member.description)
    ? 'body'
    : undefined;
}

function resolved(
  schema: Schema | undefined,
  schemas: Readonly<Record<string, Schema>>,
): Schema | undefined {
  return schema?.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1) ?? ''];
}

const head = `// Made by \`npm run generate\` from the API description. Do not edit.

import type { ByteStream } from './byte-stream.ts';
import type { Call, CallOptions } from './call.ts';
import type { List } from './list.ts';
import type { Uploadable } from './operation.ts';

`;

/** The whole generated file. */
export function nodeSource(description: Description): string {
  const methods = methodsOf(description);
  const groups = [...new Set(methods.map(({ group }) => group))].sort();
  const types = Object.entries(description.components.schemas).map(
    ([name, schema]) => `export type ${name} = ${typeOf(schema)};\n`,
  );
  const of = (group: string) => methods.filter((one) => one.group === group);
  return [
    head,
    types.join('\n'),
    `\n${webhookType(description)}`,
    ...groups.map((group) => groupType(group, of(group), description)),
    `\n/** All operations, by their group. */\nexport interface Groups {\n`,
    ...groups.map((group) => `  readonly ${group}: ${typeNameOf(group)};\n`),
    '}\n\n/** What the client needs to know of each method. */\nexport const methods = {\n',
    ...groups.map((group) => `  ${group}: {\n${of(group).map(row).join('')}  },\n`),
    '} as const;\n',
  ].join('');
}

/** What a webhook brings, told apart by `type`. */
function webhookType({ webhooks = {} }: Description): string {
  const bodies = Object.values(webhooks).map(({ post }) => jsonOf(post.requestBody.content) ?? {});
  return `export type WebhookEvent =\n${bodies.map((body) => `  | ${typeOf(body)}\n`).join('')};\n`;
}

function typeNameOf(group: string): string {
  return `${group.slice(0, 1).toUpperCase()}${group.slice(1)}Methods`;
}

function groupType(group: string, methods: readonly Method[], { components }: Description) {
  const members = methods.map((one) => {
    const { summary = '' } = one.operation;
    const doc = `  /** ${summary.replaceAll('*/', '')}. \`${one.httpMethod} ${one.path}\` */\n`;
    return `${doc}  ${one.name}${signatureOf(one, components.schemas)};\n`;
  });
  return `\nexport interface ${typeNameOf(group)} {\n${members.join('')}}\n`;
}

function signatureOf(method: Method, schemas: Readonly<Record<string, Schema>>): string {
  const ids = pathNamesOf(method.path).map((name) => `${name}: string`);
  const { takes, operation } = method;
  const options = 'options?: CallOptions';
  const answer = answerTypeOf(method);
  if (takes === 'bytes' || takes === 'query') {
    const { type, isRequired } = queryTypeOf(method);
    const bytes = takes === 'bytes' ? ['bytes: Uploadable'] : [];
    const query = `query${isRequired ? '' : '?'}: ${type}`;
    return `(${[...ids, ...bytes, query, options].join(', ')}): ${answer}`;
  }
  if (takes === undefined) return `(${[...ids, options].join(', ')}): ${answer}`;
  const schema = jsonOf(operation.requestBody?.content) ?? {};
  const isOptional = operation.requestBody?.required !== true;
  const type = typeOf(schema);
  const whole = method.app === 'body' ? withOptionalApp(type, schema, schemas) : type;
  // A type parameter lets a literal have members that this version does not know.
  const mark = isOptional ? '?' : '';
  return `<const Body extends ${whole}>(${[...ids, `body${mark}: Body`, options].join(', ')}): ${answer}`;
}

/** The client fills it in. */
function withOptionalApp(
  type: string,
  schema: Schema,
  schemas: Readonly<Record<string, Schema>>,
): string {
  const isRequired = resolved(schema, schemas)?.required?.includes('appId') === true;
  return isRequired ? `Omit<${type}, 'appId'> & { readonly appId?: string }` : type;
}

function queryTypeOf({ operation, app, sets, answers }: Method) {
  const fixed = new Set([
    ...Object.keys(sets ?? {}),
    ...(sets === undefined ? [] : ['limit', 'cursor']),
    ...(answers === 'list' ? ['format'] : []),
  ]);
  const some = queryOf(operation).filter(({ name }) => !fixed.has(name));
  const isNeeded = (name: string, required?: boolean) =>
    required === true && !(name === 'appId' && app === 'query');
  const members = some.map(
    ({ name, required, schema }) =>
      `readonly ${memberName(name)}${isNeeded(name, required) ? '' : '?'}: ${typeOf(schema)}${isNeeded(name, required) ? '' : ' | undefined'};`,
  );
  const isRequired = some.some(({ name, required }) => isNeeded(name, required));
  return { type: `{ ${members.join(' ')} }`, isRequired };
}

function answerTypeOf({ answers, operation }: Method): string {
  if (answers === 'stream') return 'Call<ByteStream>';
  const answer = answerOf(operation.responses);
  return answers === 'list' ? `List<${answer}>` : `Call<${answer}>`;
}

/** The ids that a caller names, in their order; the app is the client's. */
export function pathNamesOf(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) =>
    name === 'appId' ? [] : [name],
  );
}

function row(method: Method): string {
  const { name, httpMethod, path, takes, answers, app, sets, operation, operationId } = method;
  const takesKey = (operation.parameters ?? []).some((one) => one.name === 'Idempotency-Key');
  const members = [
    `call: '${httpMethod} ${path}'`,
    ...(takes === undefined ? [] : [`takes: '${takes}'`]),
    ...(answers === 'json' ? [] : [`answers: '${answers}'`]),
    ...(app === undefined ? [] : [`app: '${app}'`]),
    ...(takesKey ? [`key: ${showsSecretOnce.has(operationId) ? "'given'" : "'made'"}`] : []),
    ...(sets === undefined ? [] : [`sets: ${JSON.stringify(sets)}`]),
    ...(batches[operationId] === undefined ? [] : [`batch: '${batches[operationId]}'`]),
  ];
  return `    ${name}: { ${members.join(', ')} },\n`;
}

/** A retry would answer without the secret, and the caller would never see it. */
const showsSecretOnce = new Set(['createKey', 'createOrg', 'createClient']);

/** Operations whose body is cut, and the member that is. */
const batches: Readonly<Record<string, string>> = { sendBatch: 'recipients' };
