// The files of `/docs`: page, style and script. This process serves them all; the content policy
// blocks everything else.

import { readFileSync } from 'node:fs';
import { referencePage } from './docs/page.ts';
import type { OpenApiDocument } from './openapi-types.ts';

export interface ReferenceFile {
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly text: string;
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function loadReferenceFiles(document: OpenApiDocument): readonly ReferenceFile[] {
  const asset = (name: string, type: string): ReferenceFile => ({
    path: `/docs/${name}`,
    headers: [['content-type', `${type}; charset=utf-8`]],
    text: readAsset(name),
  });
  const page: ReferenceFile = {
    path: '/docs',
    headers: [
      ['content-type', 'text/html; charset=utf-8'],
      ['content-security-policy', policy],
      ['referrer-policy', 'no-referrer'],
    ],
    text: referencePage(document),
  };
  return [
    page,
    { ...page, path: '/docs/' },
    asset('reference.css', 'text/css'),
    asset('reference.js', 'text/javascript'),
    asset('curl.js', 'text/javascript'),
    asset('first-ids.js', 'text/javascript'),
  ];
}

/** The compiler copies no assets to dist/http, so compiled code reads the sources. */
function readAsset(name: string): string {
  try {
    return readFileSync(new URL(`./docs/${name}`, import.meta.url), 'utf8');
  } catch {
    return readFileSync(new URL(`../../../http/describe/docs/${name}`, import.meta.url), 'utf8');
  }
}
