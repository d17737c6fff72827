// Shared by the sms and voice stand-ins below `/carrier`: authentication, forms and errors. The
// carrier ignores unknown parameters; the stand-in refuses them to expose misspelled ones.

import { createHash } from 'node:crypto';
import { jsonAnswer, type Received, type StandInResponse } from '../stand-in.ts';
import type { SignedPost } from './carrier-callbacks.ts';

/** The product's account in sandbox mode if a tenant has none. */
export const sandboxAccount = {
  accountSid: `AC${'5a'.repeat(16)}`,
  authToken: 'sandbox-auth-token',
} as const;

/** Test numbers; some trigger faults. */
export const testNumbers = '+1500555';

export interface Caller {
  readonly accountSid: string;
  /** Signs callbacks. For an API key only the real carrier knows it. */
  readonly authToken: string | undefined;
}

/** A call with valid path, credentials and form. */
export interface CarrierRequest {
  readonly caller: Caller;
  readonly form: ReadonlyMap<string, readonly string[]>;
}

/** Whether a path is that of this resource. */
export function isResource(path: string, resource: 'Messages' | 'Calls'): boolean {
  return path.endsWith(`/${resource}.json`);
}

/** The request, or a refusal that does not concern the message or call. */
export function readRequest(
  received: Received,
  resource: 'Messages' | 'Calls',
  known: ReadonlySet<string>,
): CarrierRequest | StandInResponse {
  const path = /^\/2010-04-01\/Accounts\/(AC[0-9a-f]{32})\/(Messages|Calls)\.json$/i.exec(
    received.path,
  );
  const accountSid = path?.[1];
  if (accountSid === undefined || path?.[2] !== resource || received.method !== 'POST') {
    return carrierError(404, 20404, `The requested resource ${received.path} was not found`);
  }
  const caller = callerOf(received.headers.authorization, accountSid);
  if (caller === undefined) return carrierError(401, 20003, 'Authenticate');
  const form = new Map<string, string[]>();
  const isForm = received.headers['content-type']?.startsWith('application/x-www-form-urlencoded');
  // Another type reads as an empty form, which lacks the recipient.
  for (const [name, value] of new URLSearchParams(isForm ? received.body.toString() : '')) {
    if (!known.has(name)) return carrierError(400, 20001, `Unknown parameter ${name}`);
    const values = form.get(name);
    if (values === undefined) form.set(name, [value]);
    else values.push(value);
  }
  return { caller, form };
}

/** What the account is, for a caller who may know; `undefined` for any other call. */
export function readAccount({ method, path, headers }: Received): StandInResponse | undefined {
  const sid = /^\/2010-04-01\/Accounts\/(AC[0-9a-f]{32})\.json$/i.exec(path)?.[1];
  if (sid === undefined || method !== 'GET') return undefined;
  if (callerOf(headers.authorization, sid) === undefined)
    return carrierError(401, 20003, 'Authenticate');
  return jsonAnswer(200, { sid, friendly_name: 'Sandbox', status: 'active', type: 'Full' });
}

/** Basic: account SID and auth token, or an API key's SID and secret. */
function callerOf(authorization: string | undefined, accountSid: string): Caller | undefined {
  const encoded = /^Basic ([A-Za-z0-9+/]+=*)$/.exec(authorization ?? '')?.[1];
  const [, user = '', password = ''] =
    /^([^:]*):(.+)$/.exec(Buffer.from(encoded ?? '', 'base64').toString()) ?? [];
  if (/^SK[0-9a-f]{32}$/i.test(user)) return { accountSid, authToken: undefined };
  if (user !== accountSid || password === '') return undefined;
  const { accountSid: sandboxSid, authToken } = sandboxAccount;
  return accountSid === sandboxSid && password !== authToken
    ? undefined
    : { accountSid, authToken: password };
}

/** A parameter that must not repeat; `undefined` if absent or empty. */
export function oneOf(form: CarrierRequest['form'], name: string): string | undefined {
  const value = form.get(name)?.[0];
  return value === '' ? undefined : value;
}

/** `undefined` if the callback address is valid or absent. */
export function refusalOfCallback(address: string | undefined): StandInResponse | undefined {
  if (address === undefined) return undefined;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isGood =
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    !url.hostname.includes('_') &&
    address.length <= 4000;
  return isGood
    ? undefined
    : carrierError(
        400,
        21609,
        `The 'StatusCallback' URL ${address.slice(0, 100)} is not a valid URL.`,
      );
}

export function carrierError(
  status: number,
  code: number,
  message: string,
  headers?: Readonly<Record<string, string>>,
): StandInResponse {
  const more_info = `https://www.twilio.com/docs/errors/${code}`;
  return jsonAnswer(status, { code, message, more_info, status }, headers);
}

const refusals: Readonly<Record<number, readonly [code: number, message: string]>> = {
  400: [20001, 'Bad request'],
  401: [20003, 'Authenticate'],
  403: [20005, 'Account not active'],
  404: [20404, 'The requested resource was not found'],
  413: [20001, 'Request entity too large'],
  429: [20429, 'Too Many Requests'],
  500: [20500, 'Internal Server Error'],
  503: [20503, 'Service is temporarily unavailable'],
};

/** For faults on demand. */
export function carrierRefusal(
  status: number,
  retryAfterSeconds: number | undefined,
): StandInResponse {
  const [code, message] = refusals[status] ?? [status, `Fault ${status} on demand.`];
  const headers =
    retryAfterSeconds === undefined ? undefined : { 'retry-after': String(retryAfterSeconds) };
  return carrierError(status, code, message, headers);
}

export function replyWith(reply: StandInResponse): { kind: 'reply'; reply: StandInResponse } {
  return { kind: 'reply', reply };
}

export function sidOf(prefix: 'SM' | 'MM' | 'CA', seed: string): string {
  return prefix + createHash('md5').update(seed).digest('hex');
}

/** Our ids in the callback address. */
export function idsOf(form: CarrierRequest['form']): { sendId?: string; deviceId?: string } {
  const address = oneOf(form, 'StatusCallback');
  if (address === undefined || !URL.canParse(address)) return {};
  const { searchParams } = new URL(address);
  const [sendId, deviceId] = [searchParams.get('send'), searchParams.get('device')];
  return { ...(sendId !== null && { sendId }), ...(deviceId !== null && { deviceId }) };
}

/** The part that differs between a message's callbacks. */
export type Report = readonly (readonly [name: string, value: string])[];

/** By number: `…0011` twice, `…0012` last first, `…0015` wrongly signed, `…0019` none. */
export function scripted(
  to: string,
  url: string | undefined,
  caller: Caller,
  reports: readonly Report[],
): readonly SignedPost[] {
  const authToken = caller.authToken ?? sandboxAccount.authToken;
  if (url === undefined || to === `${testNumbers}0019`) return [];
  const posts = reports.map((form) => ({
    url,
    form,
    authToken,
    ...(to === `${testNumbers}0015` && { isForged: true }),
  }));
  if (to === `${testNumbers}0011`) return posts.flatMap((post) => [post, post]);
  return to === `${testNumbers}0012` ? posts.reverse() : posts;
}
