// Every refusal: code, HTTP status and meaning. The source of `{error, code, field}`, the OpenAPI
// description and the documentation.

import { type Fault, fieldFault } from '../engine/base/fault.ts';

/** `meaning` goes into the documentation. */
export const faultTable = {
  invalid: {
    status: 400,
    meaning: 'A field of the request is missing or invalid; `field` names it.',
  },
  unknown_field: {
    status: 400,
    meaning:
      'Strict mode (`?strict=true` or `x-engage-strict: true`): the body has a field that this route does not know.',
  },
  unsupported: {
    status: 400,
    meaning:
      'The message has something that Engage does not send here, such as `attachments` of a campaign or a calendar part of an email; `field` names it. Nothing was sent.',
  },
  invalid_json: {
    status: 400,
    meaning: 'The body is not valid JSON, is nested too deeply, or has a key that is not allowed.',
  },
  unauthorized: { status: 401, meaning: 'The API key is missing or unknown.' },
  invalid_client_token: {
    status: 401,
    meaning:
      'The client token belongs to another app or person, was revoked, or was never issued. Get a new one from `POST /v1/sdk/subscriber`.',
  },
  identity_required: {
    status: 403,
    meaning:
      "Proof of identity is required: a correct `identityHash`, or the person's own client token.",
  },
  invalid_signature: {
    status: 403,
    meaning: "The callback's signature does not match the stored secret, or no secret is stored.",
  },
  forbidden: { status: 403, meaning: 'The key lacks the scope this route requires.' },
  sign_in_again: {
    status: 403,
    meaning:
      'The person signed in to the dashboard more than 12 hours ago; this needs a newer sign-in. Never with an API key.',
  },
  not_found: { status: 404, meaning: 'The object does not exist, or is not visible to this key.' },
  method_not_allowed: {
    status: 405,
    meaning: 'The path exists, but does not support this method.',
  },
  wrong_state: { status: 409, meaning: 'The state of the object does not allow this.' },
  duplicate: { status: 409, meaning: 'An object with this name, address or id already exists.' },
  in_use: { status: 409, meaning: 'Something else uses the object; the message names it.' },
  changed: {
    status: 409,
    meaning:
      'The object was changed after the caller read it; read it again. 412 for a version named in `If-Match`; `change` says who changed it and when.',
  },
  limit_reached: { status: 409, meaning: 'The maximum number is reached; delete one first.' },
  did_you_mean: {
    status: 409,
    meaning:
      'The campaign or journey was written with a misspelled field that changes what it sends; `issues` lists them. Correct it, or send `confirmWarnings: true`.',
  },
  idempotency_conflict: {
    status: 409,
    meaning: 'The idempotency key was used with a different body.',
  },
  body_too_large: {
    status: 413,
    meaning: 'The body is larger than 1 MiB; of an uploaded file, than 10 MiB.',
  },
  unsupported_media_type: { status: 415, meaning: 'The content type is not JSON.' },
  rate_limited: {
    status: 429,
    meaning:
      'The rate limit of the lane or the address is reached; `Retry-After` says when to retry.',
  },
  daily_cap: {
    status: 429,
    meaning: "The org's daily send cap is used up until the next UTC day.",
  },
  outbox_full: { status: 429, meaning: 'The app has too many pending sends.' },
  internal: { status: 500, meaning: 'An internal error; nothing was changed.' },
  not_started: {
    status: 503,
    meaning:
      'The server was too busy to start this in time; nothing was changed, retrying is safe.',
  },
  overloaded: {
    status: 503,
    meaning: 'The server is overloaded; nothing was changed, retrying is safe.',
  },
  shutting_down: {
    status: 503,
    meaning: 'The server is shutting down; nothing was changed, retrying is safe.',
  },
  moved: {
    status: 503,
    meaning: 'Another server of the cluster is taking over; nothing was changed, retrying is safe.',
  },
  unanswered: {
    status: 504,
    meaning:
      'Another server of the cluster took the request and did not answer; it may have been done. Repeat it with the same idempotency key.',
  },
  quarantined: {
    status: 503,
    meaning:
      "An error was found in this app's data, and the app is locked; the operator must fix it.",
  },
  idempotency_full: {
    status: 503,
    meaning: 'There is no room for more idempotency keys; older ones expire within 24 hours.',
  },
  billing_not_configured: {
    status: 503,
    meaning: 'The operator has not configured a payment provider; usage and invoices still work.',
  },
  payment_provider: {
    status: 503,
    meaning: 'The payment provider did not answer; nothing was changed, retrying is safe.',
  },
  proof_unavailable: {
    status: 503,
    meaning: 'Whether a callback is genuine cannot be checked now; nothing was changed, repeat it.',
  },
  not_configured: { status: 503, meaning: 'Something this request needs is not configured.' },
  storage_quota: {
    status: 507,
    meaning:
      'The org has used up its storage quota: new events, people and content are refused; sends, reads and deletions still work. Delete something, or ask the operator to raise it.',
  },
  disk_full: { status: 507, meaning: 'The disk is nearly full; reads and opt-outs still work.' },
} as const satisfies Record<string, { readonly status: number; readonly meaning: string }>;

export type FaultCode = keyof typeof faultTable;

/** An unknown code is a bug in Engage and answers 500. */
export function statusOf(fault: Fault): number {
  if (fault.change !== undefined) return 412;
  return fault.code in faultTable ? faultTable[fault.code as FaultCode].status : 500;
}

export function fault(
  code: FaultCode,
  message: string,
  rest: Omit<Fault, 'code' | 'message'> = {},
): Fault {
  return { code, message, ...rest };
}

/** An idempotency key that was used before, for another body. */
export const keyUsedFault: Fault = fault(
  'idempotency_conflict',
  'this idempotency key was used with a different body',
  { field: 'idempotencyKey' },
);

/** The same answer for what does not exist and for what belongs to another tenant. */
export function notFound(what: string): Fault {
  return { code: 'not_found', message: `${what} not found` };
}

const idCharsShown = 128;

/** The same for an id in a body or a query: which field named what. */
export function unknownId(field: string, what: string, id: string): Fault {
  const { code, message } = notFound(`${field}: ${what}`);
  return { code, message: `${message}: ${id.slice(0, idCharsShown)}`, field };
}

const partsNamedMax = 10;

/**
 * The refusal of a filter by a part that its whole does not have: an empty list would read as
 * "nobody". `undefined` if it is one of `known`.
 */
export function unknownPart(
  field: 'variant' | 'step',
  asked: string,
  known: readonly string[],
  whole: string,
): Fault | undefined {
  if (known.includes(asked)) return undefined;
  if (known.length === 0) return fieldFault(field, `unknown; ${whole} has no ${field}s`);
  const more = known.length > partsNamedMax ? ` and ${known.length - partsNamedMax} more` : '';
  return fieldFault(
    field,
    `unknown; the ${field}s of ${whole} are ${known.slice(0, partsNamedMax).join(', ')}${more}`,
  );
}

/** A member of a body that nobody reads; `meant` is the known one that it resembles. */
export interface UnknownMember {
  readonly field: string;
  readonly warning: string;
  readonly meant?: string;
  /** Ignoring it would deliver something else than the caller wrote: the call is refused. */
  readonly isUnsupported?: true;
  /** Stored and returned with the object that it is in, though nobody reads it. */
  readonly isStored?: true;
}

/** The refusal of a member that changes what is delivered, and that nothing here can deliver. */
export function unsupportedFault({ field, warning }: UnknownMember): Fault {
  return fault('unsupported', `${field}: ${warning}`, { field });
}

/** What an answer says of a member that resembles none. */
export const ignoredWarning = 'unknown; ignored';

/** The same in a refusal, by which nothing was done. */
export function inRefusal(warning: string): string {
  return warning === ignoredWarning ? 'unknown' : warning;
}

/** The refusal of strict mode; there is at least one. */
export function unknownFieldFault(unknown: readonly UnknownMember[]): Fault {
  const issues = unknown.map(({ field, warning }) => ({ field, error: inRefusal(warning) }));
  const { field, error } = issues[0] as (typeof issues)[number];
  const rest = issues.length > 1 ? { field, issues } : { field };
  return fault('unknown_field', `${field}: ${error}`, rest);
}
