// The methods of the client for servers: which operations have one, what each takes and answers.

import { type DescribedOperation, type Description, jsonSchemaOf } from './client-source.ts';
import {
  complaintAbout,
  fileMethodNameOf,
  groupNameOf,
  methodNameOf,
  withoutGroup,
  withoutMethod,
} from './method-names.ts';
import type { Schema } from './schema-types.ts';

/** One method of the client, as the generated table has it. */
export interface ClientMethod {
  readonly group: string;
  readonly name: string;
  readonly operationId: string;
  readonly httpMethod: string;
  readonly path: string;
  readonly operation: DescribedOperation;
  /** What follows the ids of the path. */
  readonly takes: 'body' | 'bytes' | 'query' | undefined;
  readonly answers: 'json' | 'list' | 'stream';
  /** Where the client's own app id goes, if not into the path. */
  readonly app: 'query' | 'body' | undefined;
  /** Query parameters that the method itself sets. */
  readonly sets: Readonly<Record<string, string>> | undefined;
}

/** Every method, in the order of the description. Throws for a name that is not good. */
export function methodsOf(description: Description): readonly ClientMethod[] {
  const methods = allMethods(description);
  const names = methods.map(({ group, name }) => `${group}.${name}`);
  for (const [at, { group, name, operationId }] of methods.entries()) {
    const complaint =
      complaintAbout(group) ??
      complaintAbout(name) ??
      (names.indexOf(`${group}.${name}`) < at ? 'is the name of another method' : undefined);
    if (complaint !== undefined)
      throw new Error(
        `${operationId} is ${group}.${name}: ${complaint}. Choose another in sdk/generate/method-names.ts`,
      );
  }
  return methods;
}

function allMethods({ paths, components }: Description): readonly ClientMethod[] {
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
function isForServers(
  { operationId, security = [], tags = [] }: DescribedOperation,
  ids: ReadonlySet<string>,
) {
  const schemes = security.flatMap((one) => Object.keys(one));
  if (!schemes.includes('apiKey') && !schemes.includes('bootstrap')) return false;
  if (withoutMethod[operationId] !== undefined) return false;
  if (withoutGroup[tags[0] ?? ''] !== undefined) return false;
  return !(operationId.endsWith('OfApp') && ids.has(operationId.slice(0, -'OfApp'.length)));
}

function methodsOfOperation(
  path: string,
  httpMethod: string,
  operation: DescribedOperation,
  schemas: Readonly<Record<string, Schema>>,
): readonly ClientMethod[] {
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
      : jsonSchemaOf(body) === undefined
        ? 'bytes'
        : 'body';
  if (takes === 'body' && own.length > 0)
    throw new Error(
      `${operationId} takes both a body and a query: teach the client where each goes`,
    );
  const isList = httpMethod === 'GET' && query.some((one) => one.name === 'cursor');
  const base = { group, operationId, httpMethod, path, operation, takes, app } as const;
  if (!hasJson && hasText) return [{ ...base, name, answers: 'stream', sets: undefined }];
  const format = query.find((one) => one.name === 'format');
  const one = { ...base, name, answers: isList ? 'list' : 'json', sets: undefined } as const;
  if (!hasText || format === undefined) return [one];
  const file = { ...base, name: fileMethodNameOf(name), answers: 'stream' } as const;
  return [one, { ...file, sets: { format: 'csv' } }];
}

function goodTypes({ responses }: DescribedOperation): readonly string[] {
  return Object.entries(responses).flatMap(([status, { content }]) =>
    status.startsWith('2') ? Object.keys(content ?? {}) : [],
  );
}

export function queryOf({ parameters = [] }: DescribedOperation) {
  return parameters.filter((one) => one.in === 'query' && one.name !== 'strict');
}

/** A filter by app is the caller's own; what only an app-scoped key may omit is the client's. */
function appPlaceOf(
  operation: DescribedOperation,
  schemas: Readonly<Record<string, Schema>>,
): 'query' | 'body' | undefined {
  const isMeant = (description: string | undefined) =>
    /\bmay (?:omit it|be omitted)|app-scoped key/i.test(description ?? '');
  const query = queryOf(operation).find((one) => one.name === 'appId');
  if (query !== undefined && (query.required === true || isMeant(query.description)))
    return 'query';
  const body = resolved(jsonSchemaOf(operation.requestBody?.content), schemas);
  const member = body?.properties?.['appId'];
  if (member === undefined) return undefined;
  return operation.operationId === 'trackEvents' || isMeant(member.description)
    ? 'body'
    : undefined;
}

export function resolved(
  schema: Schema | undefined,
  schemas: Readonly<Record<string, Schema>>,
): Schema | undefined {
  return schema?.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1) ?? ''];
}

/** The ids that a caller names, in their order; the app is the client's. */
export function pathNamesOf(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) =>
    name === 'appId' ? [] : [name],
  );
}
