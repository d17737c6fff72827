// What tenants upload: checked against the schema that the channel's entry names, and told apart by
// a fingerprint. Provider addresses are never part of a credential; they are the operator's.
// Nothing here is ever written to a log, and no problem text repeats what was uploaded.

import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { Fault } from '../../engine/base/fault.ts';
import { catalog } from './catalog.ts';
import { type CredentialName, channelIds } from './channel-ids.ts';

/** The schema of every credential body. Unknown members are ignored and not kept. */
export const credentialSchemas = Object.fromEntries(
  channelIds.flatMap((id) => {
    const { credential, credentialSchema } = catalog[id];
    return credential === undefined ? [] : [[credential, credentialSchema]];
  }),
) as Readonly<Record<CredentialName, z.ZodType<Readonly<Record<string, unknown>>>>>;

/**
 * What may be shown of an uploaded credential: enough to tell two apart, nothing to use one with.
 */
export interface CheckedCredential {
  /** The body as it is sealed and later handed to the adapter. */
  readonly credential: Readonly<Record<string, unknown>>;
  readonly fingerprint: string;
}

/**
 * Checks an uploaded body. The fault names the first wrong member (`private_key: must be an RSA
 * private key in PEM form`) and lists all of them in `issues`.
 */
export function checkCredential(name: CredentialName, body: unknown): CheckedCredential | Fault {
  const parsed = credentialSchemas[name].safeParse(body, { error: formProblem });
  if (parsed.success) return { credential: parsed.data, fingerprint: fingerprintOf(parsed.data) };
  const issues = parsed.error.issues.map((issue) => ({
    field: issue.path.join('.'),
    error: issue.message,
  }));
  const first = issues[0] ?? { field: '', error: 'is not a valid credential' };
  const message =
    first.field === '' ? 'the body must be a JSON object' : `${first.field}: ${first.error}`;
  return { code: 'invalid', message, ...(first.field !== '' && { field: first.field }), issues };
}

/**
 * The first 64 bits of a SHA-256 over the credential, as 16 hexadecimal digits. Equal for equal
 * members in any order. It tells credentials apart; it is neither a secret nor a proof of one.
 */
export function fingerprintOf(credential: unknown): string {
  return createHash('sha256').update(canonical(credential)).digest('hex').slice(0, 16);
}

/** `fingerprintOf`, found once for each credential: adapters ask at every call. */
export function fingerprints(): (credential: object) => string {
  const known = new WeakMap<object, string>();
  return (credential) => {
    let fingerprint = known.get(credential);
    if (fingerprint === undefined) known.set(credential, (fingerprint = fingerprintOf(credential)));
    return fingerprint;
  };
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`;
}

/**
 * What is said where a schema says nothing itself: of a member that is not there, of another type,
 * or no known name.
 */
function formProblem(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return 'is missing';
  if (issue.code === 'invalid_type') {
    return `must be ${issue.expected === 'string' ? 'text' : `an ${issue.expected}`}`;
  }
  if (issue.code !== 'invalid_value') return undefined;
  return `must be ${issue.values
    .map(String)
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1')}`;
}
