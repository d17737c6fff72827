// The inbox page's files, and a mail's HTML as its own document. The page's policy forbids inline
// styles, which mails need and an iframe's `srcdoc` would inherit. A mail's policy sandboxes it: no
// script, forms or origin.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { coloursOf } from './email/mail-html.ts';
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
    pageFile(extension, readFileSync(join(placeOf('sandbox/inbox'), `${name}.${extension}`))),
  ]);
  const place = placeOf('looks');
  const looks = readdirSync(place).flatMap((file): [string, StandInResponse][] => {
    const extension = /^[a-z]+\.(css|js)$/.exec(file)?.[1];
    return extension === 'css' || extension === 'js'
      ? [[`/looks/${file}`, pageFile(extension, readFileSync(join(place, file)))]]
      : [];
  });
  return new Map([...inbox, ...looks]);
}

function pageFile(extension: keyof typeof types, body: Buffer): StandInResponse {
  return {
    status: 200,
    headers: {
      ...sharedHeaders,
      'content-type': `${types[extension]}; charset=utf-8`,
      'content-security-policy': pagePolicy,
    },
    body: body.toString(),
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
    body: `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="${coloursOf(html)}"><base target="_blank"><style>${mailStyle}</style>${html}`,
  };
}

const mailStyle =
  'body{margin:20px 22px;font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:break-word}img{max-width:100%;height:auto}';

/** A folder of pages: in the sources, or beside the compiled code. */
function placeOf(folder: string): string {
  const root = new URL('../', import.meta.url);
  const here = fileURLToPath(new URL(folder, root));
  return existsSync(join(here, 'looks.css')) || existsSync(join(here, 'index.html'))
    ? here
    : fileURLToPath(new URL(`../${folder}`, root));
}
