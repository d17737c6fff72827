// The inbox page as `dashboard/build.mjs` wrote it, and a mail's HTML as its own document. The
// page's policy forbids inline styles, which mails need and an iframe's `srcdoc` would inherit. A
// mail's policy sandboxes it: no script, forms or origin.

import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { colorsOf } from './email/mail-html.ts';
import type { StandInResponse } from './stand-in.ts';

export type PageAnswer = Omit<StandInResponse, 'body'> & { readonly body: string | Uint8Array };

const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
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

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
};

const above = new URL('../', import.meta.url);
/** Compiled code has it beside its own folder; sources run from the root. */
const folder = new URL(
  `${above.pathname.endsWith('/dist/') ? '' : 'dist/'}dashboard-files/inbox/`,
  above,
);

export const notBuilt =
  '<!doctype html><title>Sandbox inbox</title><p>The inbox is not built. Run <code>npm run build</code> in the folder of Engage, then reload this page.</p>';

/**
 * The page, or a file that it names; `undefined` for any other path. Read when they are asked for:
 * a new build may have been made.
 */
export async function inboxPage(path: string): Promise<PageAnswer | undefined> {
  if (path === '/') {
    const page = await readBuilt('index.html');
    return builtAnswer(
      page === undefined ? 503 : 200,
      'text/html; charset=utf-8',
      page ?? notBuilt,
    );
  }
  const name = /^\/inbox\/([\w-]+\.[a-z0-9]+)$/.exec(path)?.[1] ?? '';
  const type = types[extname(name)];
  // It has the dashboard's fonts.
  const place = type === types['.woff2'] ? `../a/${name}` : name;
  const file = type === undefined ? undefined : await readBuilt(place);
  return type === undefined || file === undefined ? undefined : builtAnswer(200, type, file);
}

export function builtAnswer(
  status: number,
  type: string,
  body: string | Uint8Array,
  policy = pagePolicy,
): PageAnswer {
  return {
    status,
    headers: {
      ...sharedHeaders,
      'content-type': type,
      'content-security-policy': policy,
    },
    body,
  };
}

/** A file for the reader's disk: no browser shows or runs it. */
export function savedFile(name: string, bytes: Uint8Array): PageAnswer {
  // A lone surrogate has no UTF-8; RFC 8187 wants more encoded than an address.
  const encoded = encodeURIComponent(Buffer.from(name).toString()).replace(
    /['()*!]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const answer = builtAnswer(200, 'application/octet-stream', bytes, "default-src 'none'; sandbox");
  const disposition = `attachment; filename*=UTF-8''${encoded}`;
  return { ...answer, headers: { ...answer.headers, 'content-disposition': disposition } };
}

/** `undefined` for what the build did not write. */
export async function readBuilt(name: string): Promise<Uint8Array | undefined> {
  return readFile(new URL(name, folder)).catch(() => undefined);
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
