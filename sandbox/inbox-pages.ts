// The inbox page's files, and a mail's HTML as its own document. The page's policy forbids inline
// styles, which mails need and an iframe's `srcdoc` would inherit. A mail's policy sandboxes it: no
// script, forms or origin.

import { readFileSync } from 'node:fs';
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

/** Nothing else is served. */
const files = [
  ['index', 'html'],
  ['inbox', 'css'],
  ['reader', 'css'],
  ['faults-panel', 'css'],
  ['dns-panel', 'css'],
  ['webhooks-panel', 'css'],
  ['inbox', 'js'],
  ['dom', 'js'],
  ['list', 'js'],
  ['reader', 'js'],
  ['looks', 'js'],
  ['faults-panel', 'js'],
  ['dns-panel', 'js'],
  ['webhooks-panel', 'js'],
] as const;

/** By path, read once. */
export function loadInboxPages(): ReadonlyMap<string, StandInResponse> {
  return new Map(
    files.map(([name, extension]) => [
      extension === 'html' ? '/' : `/inbox/${name}.${extension}`,
      {
        status: 200,
        headers: {
          ...sharedHeaders,
          'content-type': `${types[extension]}; charset=utf-8`,
          'content-security-policy': pagePolicy,
        },
        body: readPage(`${name}.${extension}`),
      },
    ]),
  );
}

/** Sandboxed; links open in a new tab. */
export function mailDocument(html: string): StandInResponse {
  return {
    status: 200,
    headers: {
      ...sharedHeaders,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': mailPolicy,
    },
    body: `<!doctype html><meta charset="utf-8"><base target="_blank">${html}`,
  };
}

/** The compiler copies no pages to dist/sandbox: read the sources. */
function readPage(name: string): string {
  try {
    return readFileSync(new URL(`./inbox/${name}`, import.meta.url), 'utf8');
  } catch {
    return readFileSync(new URL(`../../sandbox/inbox/${name}`, import.meta.url), 'utf8');
  }
}
