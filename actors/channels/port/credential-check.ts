// Whether a provider takes a credential: one call that sends nothing to anybody.

import type { Outbound, OutboundCall } from '../outbound/outbound-call.ts';
import { failure, httpMeaning, type ProviderResponse, unreached } from './answers.ts';
import type { CredentialCheck, Failure } from './outcome.ts';

export const credentialWorks: CredentialCheck = { checked: true, ok: true };

export function credentialFails({ reason, detail }: Pick<Failure, 'reason' | 'detail'>) {
  return { checked: true, ok: false, reason, ...(detail === undefined ? {} : { detail }) } as const;
}

/** `refusal`: what is wrong with an answer; by default any status but 200. */
export async function checkByCall(
  outbound: Outbound,
  call: Omit<OutboundCall, 'destination'>,
  secrets: readonly string[],
  refusal: (answer: ProviderResponse) => string | undefined = byStatus,
): Promise<CredentialCheck> {
  const result = await outbound.call({ ...call, destination: 'trusted' });
  if (result.kind !== 'answered') return credentialFails(unreached(result));
  const reason = refusal(result);
  if (reason === undefined) return credentialWorks;
  const words = `HTTP ${result.status}: ${result.body.slice(0, 300)}`;
  return credentialFails(failure('config', reason, words, secrets));
}

function byStatus({ status }: ProviderResponse): string | undefined {
  if (status === 200) return undefined;
  if (status === 401 || status === 403) return 'unauthenticated';
  return status === 404 ? 'not_found' : httpMeaning(status)[1];
}
