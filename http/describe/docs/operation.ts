// One operation of the reference: parameters and responses beside a form that calls it.

import { present } from '../../call/answer/present.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import { type JsonSchema, resolveIn } from '../../call/schemas/json-schema.ts';
import type {
  OpenApiContent,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiResponse,
} from '../openapi-types.ts';
import { curlOf } from './curl.js';
import { escaped, type Html, inline, jsonHtml, paragraphs, slug } from './html.ts';
import { boundWords, type Schemas, schemaRows, typeWords } from './schema-rows.ts';
import { searchWords } from './search-words.ts';

export interface Placed {
  readonly method: string;
  readonly path: string;
  readonly operation: OpenApiOperation;
}

export function anchorOf({ operation }: Placed): string {
  return slug(operation.summary);
}

export function operationHtml(placed: Placed, document: OpenApiDocument): Html {
  const { method, path, operation } = placed;
  const { schemas } = document.components;
  const anchor = anchorOf(placed);
  const described = `
${badges(operation)}
${operation.description === undefined ? '' : paragraphs(operation.description)}
${parametersHtml(operation.parameters ?? [], schemas)}
${bodyHtml(operation.requestBody?.content, schemas)}
${answersHtml(operation, schemas)}`;
  // Without the refusals: their words are the same and would match every operation.
  const words = searchWords(
    `${operation.summary} ${method} ${path} ${operation.tags.join(' ')} ${operation.operationId}`,
    described,
  );
  return `
<section class="op" id="${anchor}" data-search="${escaped(words)}">
<div class="doc">
<h3><a href="#${anchor}">${escaped(operation.summary)}</a></h3>
<p class="route">${methodPill(method)} <code>${pathHtml(path)}</code></p>${described}
${refusalsHtml(operation, document)}
</div>
<div class="side">
${tryHtml(placed, document)}
${exampleAnswer(operation)}
</div>
</section>`;
}

export function methodPill(method: string): Html {
  return `<span class="m m-${method}">${method.toUpperCase()}</span>`;
}

function pathHtml(path: string): Html {
  // Long paths may break after each slash. Before the marks, which contain slashes too.
  return escaped(path)
    .replaceAll('/', '/<wbr>')
    .replace(/\{(\w+)\}/g, '<i>{$1}</i>');
}

function badges(operation: OpenApiOperation): Html {
  const scopes = operation['x-engage-scopes'];
  const lane = operation['x-engage-lane'];
  const ceilings = { none: [], address: ['per-address limit'] };
  const marks = [
    accessWords(operation, scopes),
    ...(lane === 'none' || lane === 'address' ? ceilings[lane] : [`${lane} lane`]),
  ];
  return `<p class="badges">${marks.map((mark) => `<span>${inline(mark)}</span>`).join(' ')}</p>`;
}

function accessWords({ security }: OpenApiOperation, scopes: readonly string[]): string {
  if (scopes.length > 0) return `scope ${scopes.map((scope) => `\`${scope}\``).join(' or ')}`;
  const [first] = security;
  if (first === undefined) return 'no key';
  if ('writeKey' in first) return 'write key';
  if ('clientToken' in first) return 'client token';
  return 'bootstrap' in first ? 'bootstrap token' : 'key optional';
}

function parametersHtml(parameters: readonly OpenApiParameter[], schemas: Schemas): Html {
  const places = [
    ['path', 'Path'],
    ['query', 'Query'],
    ['header', 'Headers'],
  ] as const;
  return places
    .map(([place, title]) => {
      const rows = parameters
        .filter((parameter) => parameter.in === place && !isEverywhere(parameter))
        .map((parameter) => parameterRow(parameter, schemas));
      return rows.length === 0 ? '' : `<h4>${title}</h4><ul class="fields">${rows.join('')}</ul>`;
    })
    .join('');
}

/** Nearly every operation has these, so the introduction describes them once. */
function isEverywhere({ name, in: place }: OpenApiParameter): boolean {
  return (name === 'appId' && place === 'path') || (name === 'strict' && place === 'query');
}

function parameterRow(parameter: OpenApiParameter, schemas: Schemas): Html {
  const { name, required, description, schema } = parameter;
  const bounds = boundWords(schema, schemas);
  return `<li><div class="field"><code class="name">${escaped(name)}</code> <span class="type">${escaped(
    typeWords(schema, schemas),
  )}</span>${required && parameter.in !== 'path' ? ' <span class="req">required</span>' : ''}${
    bounds === '' ? '' : ` <span class="bound">${escaped(bounds)}</span>`
  }</div>${description === undefined ? '' : `<p>${inline(description)}</p>`}</li>`;
}

function bodyHtml(content: OpenApiContent | undefined, schemas: Schemas): Html {
  const schema = content?.['application/json']?.schema;
  if (schema === undefined) return '';
  const { description } = resolveIn(schemas, schema);
  return `<h4>Body</h4>${description === undefined ? '' : `<p>${inline(description)}</p>`}${schemaRows(
    schema,
    schemas,
  )}`;
}

function answersHtml({ responses }: OpenApiOperation, schemas: Schemas): Html {
  return Object.entries(responses)
    .filter(([, response]) => response.$ref === undefined)
    .map(([status, response]) => {
      const schema = response.content?.['application/json']?.schema;
      const own = Object.entries(response.headers ?? {}).filter(
        ([, header]) => !('$ref' in header),
      );
      const headers = own.map(
        ([name, header]) =>
          `<li><div class="field"><code class="name">${escaped(name)}</code> <span class="type">header</span></div><p>${inline(
            'description' in header ? String(header.description) : '',
          )}</p></li>`,
      );
      const rows = `${headers.length === 0 ? '' : `<ul class="fields">${headers.join('')}</ul>`}${answerRows(schema, schemas)}`;
      const title = `<span class="status ${statusClass(status)}">${status}</span> ${inline(response.description ?? '')}`;
      return rows === ''
        ? `<p class="answer">${title}</p>`
        : `<details class="answer"><summary>${title}</summary>${rows}</details>`;
    })
    .reduce((html, answer) => html + answer, '<h4>Responses</h4>');
}

function answerRows(schema: JsonSchema | undefined, schemas: Schemas): Html {
  return schema === undefined ? '' : schemaRows(schema, schemas);
}

function refusalsHtml({ responses }: OpenApiOperation, { components }: OpenApiDocument): Html {
  const rows = Object.entries(responses).flatMap(([status, { $ref }]) => {
    const shared = components.responses[$ref?.split('/').at(-1) ?? ''];
    return shared === undefined ? [] : [refusalRow(status, shared)];
  });
  if (rows.length === 0) return '';
  const statuses = Object.keys(responses).filter((status) => responses[status]?.$ref !== undefined);
  return `<details class="refusals answer"><summary>Errors ${statuses
    .map((status) => `<span class="status ${statusClass(status)}">${status}</span>`)
    .join(' ')}</summary><ul class="fields">${rows.join('')}</ul></details>`;
}

function refusalRow(status: string, { description = '' }: OpenApiResponse): Html {
  return `<li><div class="field"><span class="status ${statusClass(status)}">${status}</span></div>${paragraphs(description)}</li>`;
}

function statusClass(status: string): string {
  return `s${status.charAt(0)}`;
}

function exampleAnswer({ responses }: OpenApiOperation): Html {
  for (const [status, { content }] of Object.entries(responses)) {
    const example = content?.['application/json']?.examples?.['example'];
    if (example === undefined) continue;
    return `<div class="card"><div class="bar"><span>Response ${status}</span></div><pre tabindex="0"><code>${jsonHtml(
      example.value,
    )}</code></pre></div>`;
  }
  return '';
}

function tryHtml({ method, path, operation }: Placed, document: OpenApiDocument): Html {
  const { servers, components } = document;
  const { schemas } = components;
  const { parameters = [] } = operation;
  const body = operation.requestBody?.content['application/json'];
  const example = body?.examples?.['example']?.value ?? {};
  const bodyField =
    body === undefined
      ? ''
      : `<label>Body<textarea name="body" data-in="body" rows="${rowsOf(example)}" spellcheck="false" autocomplete="off">${escaped(
          JSON.stringify(example, null, 2),
        )}</textarea></label>`;
  const takesFile = body === undefined && operation.requestBody !== undefined;
  const fileField = takesFile
    ? `<label>File<input type="file" data-file="${exampleFile}"></label>`
    : '';
  const access = accessOf(operation);
  const curl = curlOf({
    origin: servers[0]?.url ?? '',
    method: method.toUpperCase(),
    path,
    access,
    inputs: parameters.map((parameter) => ({
      name: parameter.name,
      place: parameter.in,
      required: parameter.required,
      ...present({ example: exampleOfParameter(parameter, schemas) }),
    })),
    body: body === undefined ? undefined : JSON.stringify(example, null, 2),
    file: takesFile ? exampleFile : undefined,
    examples: exampleIds,
  });
  return `
<form class="card try" data-method="${method.toUpperCase()}" data-path="${escaped(path)}" data-access="${access}">
<div class="bar"><span>Request</span><button type="button" class="quiet copy">Copy</button></div>
<pre class="curl" tabindex="0"><code>${linesHtml(curl)}</code></pre>
<details><summary>Try it</summary>
<div class="inputs">${parameters.map((parameter) => inputHtml(parameter, schemas)).join('')}${bodyField}${fileField}</div>
<div class="go"><button type="submit">Send</button><span class="note" role="status"></span></div>
</details>
<div class="result" hidden></div>
</form>`;
}

const exampleFile = 'picture.png';

/** Each line in a block, so that a wrapped one is indented. */
function linesHtml(text: string): Html {
  return text
    .split('\n')
    .map((line) => `<span>${escaped(line)}\n</span>`)
    .join('');
}

function accessOf({ security: [first] }: OpenApiOperation): string {
  if (first === undefined) return 'none';
  if ('apiKey' in first) return 'key';
  if ('bootstrap' in first) return 'bootstrap';
  return 'writeKey' in first ? 'write-key' : 'optional';
}

function exampleOfParameter(
  { example, schema }: OpenApiParameter,
  schemas: Schemas,
): string | undefined {
  const described = resolveIn(schemas, schema);
  const value = example ?? described.examples?.[0] ?? described.enum?.[0];
  return value === undefined ? undefined : String(value);
}

function inputHtml(parameter: OpenApiParameter, schemas: Schemas): Html {
  const { name, in: place, required } = parameter;
  const example = exampleOfParameter(parameter, schemas);
  const isApp = name === 'appId';
  return `<label><span>${escaped(name)} <i>${place}</i></span><input name="${escaped(name)}" data-in="${place}"${
    isApp ? ' data-app' : ''
  }${required ? ' data-required' : ''}${
    example === undefined ? '' : ` placeholder="${escaped(example)}"`
  } autocomplete="off" autocapitalize="off" spellcheck="false"></label>`;
}

function rowsOf(example: unknown): number {
  return Math.min(16, JSON.stringify(example, null, 2).split('\n').length + 1);
}
