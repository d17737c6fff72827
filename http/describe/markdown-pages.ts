// What assistants read: `/llms.txt` lists the documentation, and `/docs/<page>.md` has each page of
// docs/ as Markdown. `/docs/API.md` is the API in one line for each operation.

import { readFileSync } from 'node:fs';
import type { ReferenceFile } from './docs-page.ts';
import type { OpenApiDocument } from './openapi-types.ts';

/** The pages for people who use or run Engage, with what each is about. */
const servedPages: Readonly<Record<string, string>> = {
  'skill/SKILL.md': 'how an assistant sends a message, makes a segment and reads results',
  'TOUR.md': 'a tour by curl: failures, an import, a live segment, a campaign, a journey',
  'COOKBOOK.md': 'a call for each channel',
  'CLIENTS.md': 'clients for servers in Node, Python, Go, PHP, Java and C#',
  'CONTENT.md': 'content as code: pull, push and promote',
  'WEBHOOKS.md': 'events that Engage sends to a server, and how to verify them',
  'AGENT-TOOLS.md': 'the tools of the Model Context Protocol',
  'DASHBOARD.md': 'what each screen of the dashboard is for',
  'PLATFORMS.md': 'channels and their providers',
  'STATES.md': 'the states of sends, campaigns and journeys',
  'GLOSSARY.md': 'what each word means',
  'DEPLOY.md': 'from an empty machine to the first delivered email',
  'OPERATIONS.md': 'settings, metrics, log lines, refusals and runbooks',
  'UPGRADING.md': 'from one version to the next',
  'GAPS.md': 'what the specification leaves open',
};

/** Links begin with the server's own address, if it is known. */
export function loadMarkdownPages(document: OpenApiDocument): readonly ReferenceFile[] {
  const own = document.servers[0]?.url ?? '';
  const base = own === '/' ? '' : own.replace(/\/+$/, '');
  const pages = Object.keys(servedPages).flatMap((name) => {
    const text = pageText(name);
    return text === undefined ? [] : [{ name, text }];
  });
  const markdown = (path: string, text: string): ReferenceFile => ({
    path,
    headers: [['content-type', 'text/markdown; charset=utf-8']],
    text,
  });
  return [
    { ...markdown('/llms.txt', listText(document, base, pages)), headers: plain },
    markdown('/docs/API.md', apiText(document)),
    ...pages.map(({ name, text }) => markdown(`/docs/${name}`, readable(text, name))),
  ];
}

const plain = [['content-type', 'text/plain; charset=utf-8']] as const;

/** `undefined` where a package has no documentation: the API does without. */
function pageText(name: string): string | undefined {
  for (const up of ['../../docs/', '../../../docs/'])
    try {
      return readFileSync(new URL(`${up}${name}`, import.meta.url), 'utf8');
    } catch {
      // Compiled code lies one folder deeper than its source.
    }
  return undefined;
}

function listText(
  { info }: OpenApiDocument,
  base: string,
  pages: readonly { readonly name: string; readonly text: string }[],
): string {
  const links = pages.map(({ name, text }) => {
    const title = /^# (.+)$/m.exec(text)?.[1] ?? name;
    return `- [${title}](${base}/docs/${name}): ${servedPages[name]}`;
  });
  return `# Engage

> ${info.description.split('\n')[0]}

Calls need an API key: \`Authorization: Bearer ek_…\`. Errors name the field and what it expects.

## Documentation

${links.join('\n')}

## API

- [All operations](${base}/docs/API.md): method, path and purpose, one for each line
- [OpenAPI description](${base}/openapi.json): every schema, with examples
- [Reference](${base}/docs): the same as a page, with a form to make each call
- [Agent tools](${base}/mcp): the address for clients of the Model Context Protocol
`;
}

function apiText({ info, paths }: OpenApiDocument): string {
  const chapters = new Map<string, string[]>();
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods)) {
      const { tags, summary, description = '' } = operation;
      const scopes = operation['x-engage-scopes'].map((scope) => `\`${scope}\``).join(', ');
      const first = /^.*?[.!?](?=\s|$)/s.exec(description)?.[0] ?? description;
      const line = [
        `- \`${method.toUpperCase()} ${path}\`: ${summary}.`,
        ...(first === '' ? [] : [first]),
        ...(scopes === '' ? [] : [`Scope: ${scopes}.`]),
      ].join(' ');
      const tag = tags[0] ?? '';
      chapters.set(tag, [...(chapters.get(tag) ?? []), line]);
    }
  const texts = [...chapters].map(([tag, lines]) => `## ${tag}\n\n${lines.join('\n')}\n`);
  return `# ${info.title} ${info.version}: all operations\n\nSchemas and examples are in \`/openapi.json\`.\n\n${texts.join('\n')}`;
}

/** Without pictures, and without links to files that are not served. */
function readable(text: string, name: string): string {
  const folder = name.includes('/') ? name.slice(0, name.lastIndexOf('/') + 1) : '';
  return text
    .replace(/<picture>[\s\S]*?<\/picture>\n*/g, '')
    .replace(/(?<!!)\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, words: string, target: string) => {
      if (/^[a-z]+:/.test(target) || target.startsWith('#') || target.startsWith('/')) return whole;
      const [file = ''] = target.split('#');
      const { pathname } = new URL(file, `http://docs/${folder}`);
      return servedPages[pathname.slice(1)] === undefined ? words : whole;
    });
}
