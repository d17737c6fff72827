// The source of a typed client's table: every schema as a type, and every operation with its
// method, its path and the types of what it takes and answers.

import { memberName, type Schema, typeOf } from './schema-types.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Content {
  readonly [type: string]: { readonly schema?: Schema };
}

export interface DescribedOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly webhooks?: Readonly<
    Record<string, { readonly post: { readonly requestBody: { readonly content: Content } } }>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const head = `// Made by \`npm run generate\` from the API description. Do not edit.

`;

/**
 * Whether the dashboard may call it. Its first load holds the table, so the table lacks what only
 * SDKs, readers of mails and other services' libraries call.
 */
export function isOfTheDashboard(path: string): boolean {
  return !/^\/(v1\/sdk|compat|[acfopu]|confirm|stop|preview)\//.test(path);
}

export function clientSource({ paths, components }: Description): string {
  const types = Object.entries(components.schemas).map(
    ([name, schema]) => `export type ${name} = ${typeOf(schema)};\n`,
  );
  const operations = Object.entries(paths)
    .filter(([path]) => isOfTheDashboard(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    );
  const shapes = operations.map(({ method, operation }) => operationType(method, operation));
  const table = operations.map(
    ({ path, method, operation }) =>
      `  ${operation.operationId}: ['${method.toUpperCase()}', '${path}'],\n`,
  );
  return [
    head,
    types.join('\n'),
    `\nexport interface Operations {\n${shapes.join('')}}\n`,
    `\n/** Method and path of each operation. */\n`,
    `export const operations = {\n${table.join('')}} as const;\n`,
  ].join('');
}

/** `saves`: it changes a version that its caller names. */
function operationType(
  method: string,
  { operationId, parameters = [], requestBody, responses }: DescribedOperation,
): string {
  const members = (place: string) => {
    const some = parameters.filter((one) => one.in === place && one.name !== 'strict');
    if (some.length === 0) return 'undefined';
    const one = ({ name, required, schema }: Parameter) =>
      `readonly ${memberName(name)}${required === true ? '' : '?'}: ${typeOf(schema)};`;
    return `{ ${some.map(one).join(' ')} }`;
  };
  const body = jsonSchemaOf(requestBody?.content);
  const isSave = method !== 'post' && parameters.some(({ name }) => name === 'If-Match');
  return [
    `  readonly ${operationId}: {\n`,
    `    readonly path: ${members('path')};\n`,
    `    readonly query: ${members('query')};\n`,
    `    readonly body: ${body === undefined ? 'undefined' : typeOf(body)};\n`,
    ...(isSave ? ['    readonly saves: true;\n'] : []),
    `    readonly answer: ${answerOf(responses)};\n  };\n`,
  ].join('');
}

/** What a successful call answers; several if the status tells them apart. */
export function answerOf(responses: DescribedOperation['responses']): string {
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const types = good.map(([, { content }]) => {
    const schema = jsonSchemaOf(content);
    return schema === undefined ? 'undefined' : typeOf(schema);
  });
  return [...new Set(types)].join(' | ') || 'undefined';
}

export function jsonSchemaOf(content: Content | undefined): Schema | undefined {
  return content?.['application/json']?.schema;
}
