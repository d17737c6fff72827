// Where the page finds something real to stand for an example: the list that an example's id is
// from, and the member of its items that has it.

import { resolveIn } from '../../call/schemas/json-schema.ts';
import type { OpenApiDocument, OpenApiOperation, OpenApiParameter } from '../openapi-types.ts';

/** By example: the list, with `{appId}` in its path, and the member. */
type FirstLists = Readonly<Record<string, readonly [target: string, member: string]>>;

export function firstLists(document: OpenApiDocument): FirstLists {
  const found: Record<string, readonly [string, string]> = {};
  for (const [path, methods] of Object.entries(document.paths))
    for (const { parameters = [] } of Object.values(methods))
      for (const parameter of parameters) {
        const example = exampleOf(parameter, document);
        const [collection, rest] = path.split(`/{${parameter.name}}`);
        if (parameter.in !== 'path' || example === undefined || rest === undefined) continue;
        const member = [parameter.name, 'id'].find((name) => hasMember(document, collection, name));
        if (member !== undefined) found[example] ??= [targetOf(document, collection), member];
      }
  for (const path of Object.keys(document.paths)) {
    const id = firstItem(document, path)?.['id'];
    if (typeof id === 'string') found[id] ??= [targetOf(document, path), 'id'];
  }
  return found;
}

/** Of a parameter with free values; a listed value works as it is. */
function exampleOf(
  { example, schema }: OpenApiParameter,
  document: OpenApiDocument,
): string | undefined {
  const described = resolveIn(document.components.schemas, schema);
  const value = example ?? described.examples?.[0];
  return typeof value === 'string' && described.enum === undefined ? value : undefined;
}

function hasMember(document: OpenApiDocument, path: string | undefined, name: string): boolean {
  return Object.hasOwn(firstItem(document, path) ?? {}, name);
}

/** Of the example of a list that needs at most an app. */
function firstItem(
  document: OpenApiDocument,
  path = '',
): Readonly<Record<string, unknown>> | undefined {
  const list = listAt(document, path);
  const content = list?.responses['200']?.content?.['application/json'];
  const answer = content?.examples?.['example']?.value as { readonly items?: unknown } | undefined;
  return Array.isArray(answer?.items) ? answer.items[0] : undefined;
}

function listAt({ paths }: OpenApiDocument, path: string): OpenApiOperation | undefined {
  const operation = paths[path]?.['get'];
  const isPlain = (operation?.parameters ?? []).every(
    ({ name, required }) => name === 'appId' || !required,
  );
  return isPlain ? operation : undefined;
}

function targetOf(document: OpenApiDocument, path = ''): string {
  const { parameters = [] } = listAt(document, path) ?? {};
  return parameters.some(({ name }) => name === 'limit') ? `${path}?limit=1` : path;
}
