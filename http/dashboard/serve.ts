// Serves `/dashboard`: one page for every address below it, and its files. The policy allows only
// what this server sends, and no script that text was turned into.

import { answerHeaders } from '../call/answer/answer-headers.ts';
import type { AnsweredCall } from '../call/answer/answered-call.ts';
import type { Edge } from '../call/edge.ts';
import type { Special } from '../call/pipeline.ts';
import { sessionToken } from '../call/session/session-cookie.ts';
import type { HeaderList } from '../server/exchange.ts';
import { Dashboard } from './built-files.ts';
import { sendFile } from './send-file.ts';

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob: https:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types engage-worker',
].join('; ');

const shared: HeaderList = [
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
];

const pageHeaders: HeaderList = [
  ...shared,
  ['content-security-policy', policy],
  [
    'permissions-policy',
    'camera=(), microphone=(), geolocation=(), payment=(), usb=(), clipboard-write=(self)',
  ],
  ['cache-control', 'no-store'],
];

const fileHeaders: HeaderList = [
  ...shared,
  ['cache-control', 'public, max-age=31536000, immutable'],
];

const htmlType: HeaderList[number] = ['content-type', 'text/html; charset=utf-8'];

const filesAt = '/dashboard/a/';

const notBuilt =
  '<!doctype html><title>Engage</title><p>The dashboard is not built. Run <code>npm run build</code> in the folder of Engage, then reload this page.</p>';

/** `dashboard` for tests: another folder of built files. */
export function dashboardSpecial(
  edge: Edge,
  onAnswered: (call: AnsweredCall) => void,
  dashboard = new Dashboard(),
): Special {
  return (request, response, requestId) => {
    const { path, method } = request;
    if (path !== '/dashboard' && !path.startsWith('/dashboard/')) return undefined;
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    const headers = answerHeaders(edge, requestId);
    const built = dashboard.at(edge.clock.monotonic());
    const finish = (route: string, status: number) => {
      onAnswered({ route, method, status, lane: 'none' });
      return { sink: undefined };
    };
    if (path.startsWith(filesAt)) {
      const file = built?.files.get(path.slice(filesAt.length));
      if (file === undefined) return undefined;
      sendFile(file, request, response, [...headers, ...fileHeaders]);
      return finish(`${filesAt}*`, 200);
    }
    // A file that is not there is no screen.
    if (path.slice(path.lastIndexOf('/')).includes('.')) return undefined;
    if (built === undefined) {
      response.send(503, [...headers, ...pageHeaders, htmlType], notBuilt);
      return finish('/dashboard', 503);
    }
    const { mode, publicUrl } = edge.config;
    const page = built.pages.at(path, {
      hasSession: sessionToken(request, publicUrl) !== '',
      isSandbox: mode === 'sandbox',
    });
    sendFile(page, request, response, [...headers, ...pageHeaders]);
    return finish('/dashboard', 200);
  };
}
