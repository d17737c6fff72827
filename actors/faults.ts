// Every refusal there is: code, HTTP status and what it means. The one table behind `{error, code,
// field}`, the OpenAPI description and the documentation.

import type { Fault } from '../engine/base/fault.ts';

/** `status` is what HTTP answers; `meaning` goes into the documentation. */
export const faultTable = {
  invalid: {
    status: 400,
    meaning: 'A member of the request is missing or of the wrong form; `field` names it.',
  },
  invalid_json: {
    status: 400,
    meaning: 'The body is not JSON, or nests too deeply, or has a key that is not allowed.',
  },
  unauthorized: { status: 401, meaning: 'No key, or a key that is not known.' },
  invalid_client_token: {
    status: 401,
    meaning:
      'The client token is of another app or person, was ended, or was never given out; ask `POST /v1/sdk/subscriber` for a new one.',
  },
  identity_required: {
    status: 403,
    meaning:
      'Proof is needed of who this is: the right `identityHash`, or the person’s own client token.',
  },
  invalid_signature: {
    status: 403,
    meaning:
      'The callback is not signed with the secret that the tenant has stored, or there is none to check it by.',
  },
  forbidden: { status: 403, meaning: 'The key lacks the scope that the route needs.' },
  not_found: { status: 404, meaning: 'Unknown, or not visible to this key.' },
  method_not_allowed: { status: 405, meaning: 'The path exists, the method does not.' },
  conflict: {
    status: 409,
    meaning: 'The object is in a state that does not allow this, or the name is taken.',
  },
  idempotency_conflict: { status: 409, meaning: 'The idempotency key was used with another body.' },
  body_too_large: { status: 413, meaning: 'The body is larger than 1 MiB.' },
  unsupported_media_type: { status: 415, meaning: 'The body is not declared as JSON.' },
  rate_limited: {
    status: 429,
    meaning: 'The lane, or the address, has no room now; `Retry-After` says when.',
  },
  daily_cap: {
    status: 429,
    meaning: "The org's daily send cap is used up until the next UTC day.",
  },
  outbox_full: { status: 429, meaning: 'Too many sends of this app wait to leave.' },
  internal: { status: 500, meaning: 'A fault inside Engage; nothing was done.' },
  not_started: {
    status: 503,
    meaning: 'Too busy to start in time; nothing was done, retrying is safe.',
  },
  overloaded: { status: 503, meaning: 'Too much to do; nothing was done, retrying is safe.' },
  shutting_down: {
    status: 503,
    meaning: 'The server is stopping; nothing was done, retrying is safe.',
  },
  quarantined: {
    status: 503,
    meaning: "A fault was found in this app's data; the operator must look.",
  },
  idempotency_full: {
    status: 503,
    meaning: 'No room for more idempotency keys; older ones expire within 24 hours.',
  },
  not_configured: { status: 503, meaning: 'Something this needs is not configured.' },
  disk_full: { status: 507, meaning: 'The disk is nearly full; reads and opt-outs still work.' },
} as const satisfies Record<string, { readonly status: number; readonly meaning: string }>;

export type FaultCode = keyof typeof faultTable;

/** The status of a fault; an unknown code is a bug inside Engage and answers 500. */
export function statusOf(fault: Fault): number {
  return fault.code in faultTable ? faultTable[fault.code as FaultCode].status : 500;
}

/** Builds a fault of the table. */
export function fault(
  code: FaultCode,
  message: string,
  rest: Omit<Fault, 'code' | 'message'> = {},
): Fault {
  return { code, message, ...rest };
}

/** What is not there, and what belongs to somebody else, look the same. */
export function notFound(what: string): Fault {
  return { code: 'not_found', message: `${what} not found` };
}
