// Judges the token of a sign-in link before any limit of its address: a right one passes whatever
// others there did, and only a wrong one counts. A link has 244 random bits, so nobody finds one.

import { FaultError, fieldFault } from '../../../engine/base/fault.ts';
import type { Call } from '../call.ts';
import { hashOfLink } from './link-token.ts';

/** One name for all wrong links of an address. */
const links = 'link';

/** What `ask` answers for the link's hash. Throws if there is no such link any more. */
export async function judgeLink<Found>(
  call: Call<unknown, unknown>,
  field: 'link' | 'once',
  text: string,
  ask: (hash: string) => Promise<Found | null>,
): Promise<Found> {
  const { edge, who = '' } = call;
  const { admission, credentials } = edge;
  const hash = hashOfLink(text);
  const bytes = Buffer.from(hash, 'hex');
  const isListed = credentials.has('', bytes);
  if (!isListed) {
    const refusal =
      call.unlessRight ?? admission.failedTooOften(who, links) ?? admission.lookUp(who);
    if (refusal !== undefined) throw new FaultError(refusal);
  }
  const found = await ask(hash);
  if (found !== null) {
    chargeRight(call, hash);
    return found;
  }
  if (isListed) credentials.remove('', bytes); // used or expired
  admission.countFailure(who, links);
  const words = 'this sign-in link was used, has expired or is invalid; request a new one';
  throw new FaultError(call.unlessRight ?? fieldFault(field, words, 'unauthorized'));
}

/** What passes a full limit of its address is charged to itself. */
export function chargeRight(
  { edge, unlessRight }: Pick<Call, 'edge' | 'unlessRight'>,
  name: string,
): void {
  const refusal = unlessRight && edge.admission.holder(name);
  if (refusal !== undefined) throw new FaultError(refusal);
}
