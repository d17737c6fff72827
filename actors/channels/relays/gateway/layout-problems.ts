// What is wrong with a description of a gateway's calls, by member: said when it is stored, so that
// no message ever meets it.

import { isHeaderText, type Layout, parsed } from './request.ts';
import { namesIn, parseTemplate } from './template.ts';

interface Problem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** They belong to the connection, or say how the body is sent. */
const ownHeaders = new Set(
  (
    'host connection content-length transfer-encoding accept-encoding te trailer upgrade expect ' +
    'keep-alive proxy-authorization proxy-connection cookie'
  ).split(' '),
);
const jsonDepthMax = 8;
const jsonLeavesMax = 100;

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

/** What is known of a message when a gateway is asked about it. */
const askedNames: ReadonlySet<string> = new Set(['message_id', 'id', 'uuid']);

/** What is wrong with how outcomes are asked for, and with a text that names what it gets later. */
export function pollingProblems({
  polling,
  ...layout
}: Layout & {
  readonly polling?: Omit<Layout, 'credentials' | 'basic'> | undefined;
}): readonly Problem[] {
  const early = layoutNames(layout).includes('message_id')
    ? [{ path: ['body'], message: '{{ message_id }} is known only in polling' }]
    : [];
  if (polling === undefined) return early;
  const { credentials, basic } = layout;
  const own = { ...polling, credentials };
  const problems = layoutProblems(own).map(({ path, message }) => ({
    path: ['polling', ...path],
    message,
  }));
  if (problems.length > 0) return [...early, ...problems];
  const named = layoutNames({ headers: layout.headers, ...own, basic });
  const unknown = named.find((name) => !name.includes('.') && !askedNames.has(name));
  const known = [...askedNames].join(', ');
  if (unknown !== undefined)
    early.push({
      path: ['polling'],
      message: `{{ ${unknown} }} is not known later; there are ${known} and credentials.…`,
    });
  else if (!named.some((name) => askedNames.has(name)))
    early.push({ path: ['polling'], message: `must name the message by one of ${known}` });
  return early;
}

/** The names of all placeholders of a layout. */
function layoutNames({ url, query, headers, basic, body }: Layout): readonly string[] {
  const leaves: { path: Problem['path']; text: string }[] = [];
  collectLeaves([url, query, headers, basic, body], [], leaves, jsonDepthMax + 1);
  return leaves.flatMap(({ text }) => namesIn(parsed(text)));
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
