// Whether a mail service takes an account's key: by a GET that changes nothing.

import type { Outbound, OutboundCall } from '../outbound/outbound-call.ts';
import type { ProviderResponse } from '../port/answers.ts';
import { checkByCall } from '../port/credential-check.ts';
import type { CredentialCheck } from '../port/outcome.ts';
import { statusMeaning } from './http-status.ts';

/** `judge`: what is wrong with an answer, if a 200 alone does not tell. */
export function checkKey(
  outbound: Outbound,
  call: Pick<OutboundCall, 'url' | 'headers' | 'answerBytesMax'>,
  key: string,
  judge: (answer: ProviderResponse) => string | undefined = keyProblem,
): Promise<CredentialCheck> {
  return checkByCall(outbound, { method: 'GET', ...call }, [key], judge);
}

/** The reason; `undefined` if the key was taken. */
export function keyProblem({ status }: ProviderResponse): string | undefined {
  if (status === 200) return undefined;
  return status === 403 ? 'relay_authentication' : statusMeaning(status)[1];
}
