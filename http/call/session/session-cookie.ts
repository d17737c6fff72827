// The cookie that carries a session, and which calls it counts in: those that the dashboard's own
// page makes. No other page can send the header, because CORS is closed here, and browsers alone
// set `Sec-Fetch-Site`.

import { limits } from '../../../actors/limits.ts';
import type { HeaderList, HttpRequest } from '../../server/exchange.ts';

/** On every call of the dashboard that is not GET or HEAD. */
export const pageHeader = 'x-engage-dashboard';

/** `__Host-` needs https; on plain http not every browser takes it. */
function cookieName(publicUrl: string): string {
  return isSecure(publicUrl) ? '__Host-engage' : 'engage';
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:');
}

/** Whether a call comes from a page of this server. */
export function isFromOwnPage(request: HttpRequest, publicUrl: string): boolean {
  const { method } = request;
  const reads = method === 'GET' || method === 'HEAD';
  if (!reads && request.header(pageHeader) !== '1') return false;
  if (request.has('sec-fetch-site')) return request.header('sec-fetch-site') === 'same-origin';
  return request.header('origin') === originOf(publicUrl);
}

/** The token in a request's cookies; empty without one. */
export function sessionToken(request: HttpRequest, publicUrl: string): string {
  const name = `${cookieName(publicUrl)}=`;
  for (const part of request.header('cookie').split(/[;,]/)) {
    const pair = part.trim();
    if (pair.startsWith(name)) return pair.slice(name.length);
  }
  return '';
}

export function sessionCookie(publicUrl: string, token: string): HeaderList[number] {
  return cookie(publicUrl, token, Math.floor(limits.sessionMs / 1000));
}

export function noSessionCookie(publicUrl: string): HeaderList[number] {
  return cookie(publicUrl, '', 0);
}

function cookie(publicUrl: string, value: string, seconds: number): HeaderList[number] {
  const secure = isSecure(publicUrl) ? ' Secure;' : '';
  const rest = `Max-Age=${seconds}; Path=/;${secure} HttpOnly; SameSite=Strict`;
  return ['set-cookie', `${cookieName(publicUrl)}=${value}; ${rest}`];
}

function originOf(publicUrl: string): string {
  return new URL(publicUrl).origin;
}
