// The inbox page's files, and a mail's HTML as its own document. The page's policy forbids inline
// styles, which mails need and an iframe's `srcdoc` would inherit. A mail's policy sandboxes it: no
// script, forms or origin.

import { readdirSync, readFileSync } from 'node:fs';
import { colorsOf } from './email/mail-html.ts';
import type { StandInResponse } from './stand-in.ts';

const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src http: https: data:',
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const mailPolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline' https:",
  'img-src http: https: data:',
  'font-src https: data:',
  "frame-ancestors 'self'",
  'sandbox allow-popups allow-popups-to-escape-sandbox',
].join('; ');

const sharedHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
  'cross-origin-resource-policy': 'same-origin',
};

const types = { html: 'text/html', css: 'text/css', js: 'text/javascript' } as const;

/** Beside these, only the scripts and styles in `looks/`. */
const files = [
  ['index', 'html'],
  ['inbox', 'css'],
  ['reader', 'css'],
  ['faults-panel', 'css'],
  ['dns-panel', 'css'],
  ['webhooks-panel', 'css'],
  ['inbox', 'js'],
  ['dom', 'js'],
  ['attempts', 'js'],
  ['list', 'js'],
  ['row-words', 'js'],
  ['reader', 'js'],
  ['faults-panel', 'js'],
  ['dns-panel', 'js'],
  ['webhooks-panel', 'js'],
] as const;

/** By path, read once. */
export function loadInboxPages(): ReadonlyMap<string, StandInResponse> {
  const inbox = files.map(([name, extension]): [string, StandInResponse] => [
    extension === 'html' ? '/' : `/inbox/${name}.${extension}`,
    pageFile(extension, readPage(`${name}.${extension}`)),
  ]);
  const looks = lookNames().flatMap((name): [string, StandInResponse][] => {
    const extension = /^[a-z]+\.(css|js)$/.exec(name)?.[1];
    if (extension !== 'css' && extension !== 'js') return [];
    return [[`/looks/${name}`, pageFile(extension, readLook(name))]];
  });
  return new Map([...inbox, ...looks]);
}

function pageFile(extension: keyof typeof types, body: string): StandInResponse {
  return {
    status: 200,
    headers: {
      ...sharedHeaders,
      'content-type': `${types[extension]}; charset=utf-8`,
      'content-security-policy': pagePolicy,
    },
    body,
  };
}

/**
 * Sandboxed; links open in a new tab. Before the mail's own styles stand those that mail programs
 * give to all: a plain typeface, a margin, pictures no wider than the screen.
 */
export function mailDocument(html: string): StandInResponse {
  return {
    status: 200,
    headers: {
      ...sharedHeaders,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': mailPolicy,
    },
    body: `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="${colorsOf(html)}"><base target="_blank"><style>${mailStyle}</style>${html}`,
  };
}

const mailStyle =
  'body{margin:20px 22px;font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:break-word}img{max-width:100%;height:auto}';

function readPage(name: string): string {
  return inEither(
    (place) => readFileSync(place, 'utf8'),
    new URL(`./inbox/${name}`, import.meta.url),
    new URL(`../../sandbox/inbox/${name}`, import.meta.url),
  );
}

function readLook(name: string): string {
  return inEither(
    (place) => readFileSync(place, 'utf8'),
    new URL(`../looks/${name}`, import.meta.url),
    new URL(`../../looks/${name}`, import.meta.url),
  );
}

function lookNames(): readonly string[] {
  return inEither(
    (place) => readdirSync(place),
    new URL('../looks', import.meta.url),
    new URL('../../looks', import.meta.url),
  );
}

/** Compiled code may have no copy of the pages beside it: the sources do. */
function inEither<T>(read: (place: URL) => T, beside: URL, source: URL): T {
  try {
    return read(beside);
  } catch {
    return read(source);
  }
}
