// A gateway's request, built from the tenant's layout and one message. The layout is taken apart
// first and its values are put in afterwards, each encoded for its place, so that no value can
// change the request's structure: JSON is filled leaf by leaf, forms and queries field by field.

import { isObject } from '../../../is-object.ts';
import { fill, parseTemplate, soleValue, type Template, type TemplateValues } from './template.ts';

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

export function isHeaderText(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

/** Layouts are checked when they are stored; what is wrong after all is text. */
export function parsed(source: string): Template {
  const template = parseTemplate(source);
  return 'problem' in template ? [source] : template;
}
