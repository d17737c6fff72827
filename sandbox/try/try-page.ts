// The page where a newcomer tries the web SDK in this very browser, and the worker it registers.
// Unlike the inbox it loads scripts of the product and calls it.

import { builtAnswer, notBuilt, type PageAnswer, readBuilt } from '../inbox-pages.ts';
import { jsonAnswer, type TryPlace } from '../stand-in.ts';

const tryPath = '/try';

/** `undefined` for any other path. */
export async function tryPage(
  path: string,
  place: TryPlace | undefined,
): Promise<PageAnswer | undefined> {
  if (path !== tryPath && path !== '/engage-sw.js') return undefined;
  if (place === undefined)
    return { ...jsonAnswer(404, { error: 'this sandbox was started without Engage' }) };
  const { engageUrl } = place;
  if (path !== tryPath)
    return builtAnswer(
      200,
      'text/javascript; charset=utf-8',
      `importScripts('${engageUrl}/sdk/v1/sw.js');\n`,
      `default-src 'none'; script-src 'self' ${engageUrl}; connect-src ${engageUrl}`,
    );
  const page = await readBuilt('try.html');
  const status = page === undefined ? 503 : 200;
  return builtAnswer(status, 'text/html; charset=utf-8', page ?? notBuilt, policyOf(engageUrl));
}

function policyOf(engageUrl: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${engageUrl}`,
    "style-src 'self'",
    "font-src 'self'",
    `connect-src 'self' ${engageUrl}`,
    'img-src http: https: data:',
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
