// The generated file of the client for servers: every schema as a type, a group of methods for each
// tag with the types of what they take and answer, and the table that the client calls by.

import { type ClientMethod, methodsOf, pathNamesOf, queryOf, resolved } from './client-methods.ts';
import { answerOf, type Description, jsonSchemaOf } from './client-source.ts';
import { memberName, type Schema, typeOf } from './schema-types.ts';

/** What the types of methods are made of, by the file of the client that has it. */
const imported: Readonly<Record<string, string>> = {
  ByteStream: 'byte-stream',
  'Call, CallOptions': 'call',
  List: 'list',
  Uploadable: 'operation',
};

const head = [
  '// Made by `npm run generate` from the API description. Do not edit.\n\n',
  ...Object.entries(imported).map(
    ([names, file]) => `import type { ${names} } from ${JSON.stringify(`./${file}.ts`)};\n`,
  ),
  '\n',
].join('');

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
  const bodies = Object.values(webhooks).map(
    ({ post }) => jsonSchemaOf(post.requestBody.content) ?? {},
  );
  return `export type WebhookEvent =\n${bodies.map((body) => `  | ${typeOf(body)}\n`).join('')};\n`;
}

function typeNameOf(group: string): string {
  return `${group.slice(0, 1).toUpperCase()}${group.slice(1)}Methods`;
}

function groupType(group: string, methods: readonly ClientMethod[], { components }: Description) {
  const members = methods.map((one) => {
    const { summary = '' } = one.operation;
    const doc = `  /** ${summary.replaceAll('*/', '')}. \`${one.httpMethod} ${one.path}\` */\n`;
    return `${doc}  ${one.name}${signatureOf(one, components.schemas)};\n`;
  });
  return `\nexport interface ${typeNameOf(group)} {\n${members.join('')}}\n`;
}

function signatureOf(method: ClientMethod, schemas: Readonly<Record<string, Schema>>): string {
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
  const schema = jsonSchemaOf(operation.requestBody?.content) ?? {};
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

function queryTypeOf({ operation, app, sets, answers }: ClientMethod) {
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

function answerTypeOf({ answers, operation }: ClientMethod): string {
  if (answers === 'stream') return 'Call<ByteStream>';
  const answer = answerOf(operation.responses);
  return answers === 'list' ? `List<${answer}>` : `Call<${answer}>`;
}

function row(method: ClientMethod): string {
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
