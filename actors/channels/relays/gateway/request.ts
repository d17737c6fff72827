// A gateway's request, built from the tenant's layout and one message. The layout is taken apart
// first and its values are put in afterwards, each encoded for its place, so that no value can
// change the request's structure: JSON is filled leaf by leaf, forms and queries field by field.

import { isObject } from '../../../is-object.ts';
import {
  fill,
  namesIn,
  parseTemplate,
  soleValue,
  type Template,
  type TemplateValues,
} from './template.ts';

/** The members of a configuration that say how a gateway is called. */
export interface Layout {
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly basic?: { readonly user: string; readonly password: string } | undefined;
  readonly contentType: 'json' | 'form' | 'xml' | 'text';
  readonly body?: string | Readonly<Record<string, unknown>> | undefined;
  readonly credentials: Readonly<Record<string, string>>;
}

interface Problem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export interface GatewayRequest {
  readonly method: Layout['method'];
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const contentTypes = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  xml: 'application/xml; charset=utf-8',
  text: 'text/plain; charset=utf-8',
} as const;

/** They belong to the connection, or say how the body is sent. */
const ownHeaders = new Set(
  (
    'host connection content-length transfer-encoding accept-encoding te trailer upgrade expect ' +
    'keep-alive proxy-authorization proxy-connection cookie'
  ).split(' '),
);
const jsonDepthMax = 8;
const jsonLeavesMax = 100;

/** `undefined`: a value cannot stand in a header. */
export function buildRequest(layout: Layout, values: TemplateValues): GatewayRequest | undefined {
  const headers: Record<string, string> = {};
  for (const [name, source] of Object.entries(layout.headers ?? {})) {
    const value = fill(parsed(source), values);
    if (!isHeaderText(value)) return undefined;
    headers[name.toLowerCase()] = value;
  }
  if (layout.basic !== undefined) {
    const { user, password } = layout.basic;
    const login = `${fill(parsed(user), values)}:${fill(parsed(password), values)}`;
    headers['authorization'] = `Basic ${Buffer.from(login).toString('base64')}`;
  }
  const url = withQuery(fill(parsed(layout.url), values, encodeSegment), layout.query, values);
  const { method } = layout;
  const body = method === 'GET' ? undefined : bodyOf(layout, values);
  if (body === undefined) return { method, url, headers };
  return {
    method,
    url,
    headers: { 'content-type': contentTypes[layout.contentType], ...headers },
    body,
  };
}

function bodyOf(
  { contentType, body }: Pick<Layout, 'contentType' | 'body'>,
  values: TemplateValues,
): string | undefined {
  if (body === undefined) return undefined;
  if (typeof body === 'string')
    return fill(parsed(body), values, contentType === 'xml' ? escapeXml : (text) => text);
  if (contentType === 'form') return formOf(body, values);
  return JSON.stringify(filled(body, values));
}

/** JSON with its leaves filled. A member whose only placeholder prints nothing is left out. */
function filled(value: unknown, values: TemplateValues): unknown {
  if (typeof value === 'string') {
    const template = parsed(value);
    const sole = soleValue(template, values);
    return sole === undefined ? fill(template, values) : sole.value;
  }
  if (Array.isArray(value)) return value.map((one) => filled(one, values) ?? null);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, filled(member, values)]),
  );
}

function formOf(fields: Readonly<Record<string, unknown>>, values: TemplateValues): string {
  return new URLSearchParams(
    Object.entries(fields).flatMap(([name, source]): [string, string][] => {
      const template = parsed(String(source));
      const sole = soleValue(template, values);
      if (sole !== undefined && sole.value === undefined) return [];
      return [[name, fill(template, values)]];
    }),
  ).toString();
}

function withQuery(
  url: string,
  query: Readonly<Record<string, string>> | undefined,
  values: TemplateValues,
): string {
  const text = query === undefined ? '' : formOf(query, values);
  return text === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${text}`;
}

/** A path's `..` would lead elsewhere, and no encoding of dots survives a URL parser. */
function encodeSegment(text: string): string {
  return /^\.{1,2}$/.test(text) ? '' : encodeURIComponent(wellFormed(text));
}

/** Characters that XML 1.0 cannot have are dropped. */
function escapeXml(text: string): string {
  return wellFormed(text)
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Half a character, which no encoding has, becomes the sign for it. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

function isHeaderText(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

/** Layouts are checked when they are stored; what is wrong after all is text. */
function parsed(source: string): Template {
  const template = parseTemplate(source);
  return 'problem' in template ? [source] : template;
}

/** What is wrong with a layout, by member. */
export function layoutProblems(
  layout: Layout & {
    readonly check?:
      | { readonly url: string; readonly query?: Readonly<Record<string, string>> | undefined }
      | undefined;
  },
): readonly Problem[] {
  const known = layout.credentials;
  const { url, query, headers, basic, check } = layout;
  return [
    ...urlProblems(url, known, ['url']),
    ...fieldProblems(query ?? {}, known, ['query']),
    ...Object.entries(headers ?? {}).flatMap(([name, source]) =>
      headerProblems(name, source, known),
    ),
    ...(basic === undefined ? [] : fieldProblems({ ...basic }, known, ['basic'])),
    ...bodyProblems(layout),
    ...(check === undefined
      ? []
      : [
          ...urlProblems(check.url, known, ['check', 'url']),
          ...fieldProblems(check.query ?? {}, known, ['check', 'query']),
        ]),
  ];
}

type Known = Layout['credentials'];

function templateProblems(source: string, known: Known, path: Problem['path']): Problem[] {
  const template = parseTemplate(source);
  if ('problem' in template) return [{ path, message: template.problem }];
  return namesIn(template).flatMap((name) => {
    const secret = /^credentials\.(.*)$/.exec(name)?.[1];
    if (secret === undefined || Object.hasOwn(known, secret)) return [];
    return [{ path, message: `{{ ${name} }} is not among the credentials` }];
  });
}

function urlProblems(source: string, known: Known, path: Problem['path']): Problem[] {
  const problems = templateProblems(source, known, path);
  if (problems.length > 0) return problems;
  const [, origin = ''] = /^(https?:\/\/[^/?#]*)/i.exec(source) ?? [];
  if (origin === '' || origin.includes('{{'))
    return [{ path, message: 'must begin with https:// and a host without placeholders' }];
  const [beforeQuery = ''] = source.split('?');
  if (
    source.includes('#') ||
    (source.includes('{{') && beforeQuery.length < source.lastIndexOf('{{'))
  )
    return [{ path, message: 'has a placeholder or # behind the path; use query' }];
  return [];
}

function headerProblems(name: string, source: string, known: Known): Problem[] {
  const path = ['headers', name];
  if (ownHeaders.has(name.toLowerCase())) return [{ path, message: 'is set by the connection' }];
  const template = parseTemplate(source);
  if (!('problem' in template) && namesIn(template).includes('text'))
    return [{ path, message: 'must not have the text: a header cannot carry it' }];
  if (!isHeaderText(source)) return [{ path, message: 'must be printable ASCII' }];
  return [...templateProblems(source, known, path), ...secretProblems(source, path)];
}

function fieldProblems(
  fields: Readonly<Record<string, string>>,
  known: Known,
  path: Problem['path'],
): Problem[] {
  return Object.entries(fields).flatMap(([name, source]) => [
    ...templateProblems(source, known, [...path, name]),
    ...secretProblems(source, [...path, name]),
  ]);
}

/** The layout is shown to everybody who may see the relay; the credentials never are. */
function secretProblems(source: string, path: Problem['path']): Problem[] {
  if (!secretName.test(String(path.at(-1))) || source.length < 2) return [];
  if (source.includes('{{')) return [];
  return [{ path, message: 'must take its secret from the credentials: {{ credentials.… }}' }];
}

const secretName =
  /^(x-)?(api|access|auth|user|pass)?[-_]?(authorization|key|secret|token|password|passwd|passkey|pwd)$|^(auth|secret[-_]?key)$/i;

function bodyProblems({ contentType, body, credentials }: Layout): Problem[] {
  if (body === undefined) return [];
  const path = ['body'];
  if (typeof body === 'string') {
    if (contentType === 'json' || contentType === 'form')
      return [{ path, message: `must be an object of the ${contentType}'s members` }];
    const problems = templateProblems(body, credentials, path);
    if (problems.length > 0 || contentType === 'text') return problems;
    return xmlProblem(body) === undefined ? [] : [{ path, message: String(xmlProblem(body)) }];
  }
  if (contentType === 'xml' || contentType === 'text')
    return [{ path, message: `must be a text for ${contentType}` }];
  if (contentType === 'form' && Object.values(body).some((one) => typeof one !== 'string'))
    return [{ path, message: 'must have texts alone: a form has no lists or objects' }];
  const leaves: { path: Problem['path']; text: string }[] = [];
  const isDeep = collectLeaves(body, path, leaves, jsonDepthMax);
  if (isDeep || leaves.length > jsonLeavesMax)
    return [{ path, message: `has over ${jsonDepthMax} levels or ${jsonLeavesMax} texts` }];
  return leaves.flatMap(({ text, path: at }) => [
    ...templateProblems(text, credentials, at),
    ...secretProblems(text, at),
  ]);
}

/** True if it is too deep. */
function collectLeaves(
  value: unknown,
  path: Problem['path'],
  leaves: { path: Problem['path']; text: string }[],
  depth: number,
): boolean {
  if (leaves.length > jsonLeavesMax) return false;
  if (typeof value === 'string') leaves.push({ path, text: value });
  if (typeof value !== 'object' || value === null) return false;
  if (depth === 0) return true;
  return Object.entries(value).some(([name, member]) =>
    collectLeaves(member, [...path, Array.isArray(value) ? Number(name) : name], leaves, depth - 1),
  );
}

/**
 * Placeholders stand in the text of an element or in a quoted attribute: elsewhere (a tag's name, a
 * comment, CDATA) no encoding could keep a value in its place.
 */
function xmlProblem(body: string): string | undefined {
  const text = body.replace(markup, (tag) => {
    const isElement = !/^<[!?]/.test(tag);
    const outside = isElement ? tag.replace(/=\s*(?:"[^"]*"|'[^']*')/g, '=') : tag;
    return outside.includes('{{') ? '<' : '';
  });
  if (!text.includes('<')) return undefined;
  return 'has a placeholder outside of the text of an element and of quoted attributes, or a < of no tag';
}

const markup = /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<(?:"[^"]*"|'[^']*'|[^<>"'])*>/g;
