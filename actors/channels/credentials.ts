// Uploaded credentials, checked against the channel's schema and identified by a fingerprint. They
// never hold provider addresses (the operator sets those), and never reach a log or a problem text.

import type { z } from 'zod';
import type { Fault } from '../../engine/base/fault.ts';
import { catalog } from './catalog.ts';
import { type CredentialName, channelIds } from './channel-ids.ts';
import { fingerprintOf } from './port/fingerprint.ts';

/** The schema of each credential. Unknown fields are dropped. */
export const credentialSchemas = Object.fromEntries(
  channelIds.flatMap((id) => {
    const { credential, credentialSchema } = catalog[id];
    return credential === undefined ? [] : [[credential, credentialSchema]];
  }),
) as Readonly<Record<CredentialName, z.ZodType<Readonly<Record<string, unknown>>>>>;

interface CheckedCredential {
  /** The body as sealed and later given to the adapter. */
  readonly credential: Readonly<Record<string, unknown>>;
  readonly fingerprint: string;
}

/** The fault names the first wrong field (`private_key: must be …`); `issues` lists all. */
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

/** The problem text if the schema has none: missing field, wrong type or unknown name. */
export function formProblem(issue: z.core.$ZodRawIssue): string | undefined {
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
