// Changes to another org: of the same person, or by its key.

import { asApiError } from '../../api/errors.ts';
import { type Proof, signIn } from '../../api/session.ts';
import { base } from '../../ui/address.ts';
import { tellError } from '../../ui/toast.tsx';

/** The page starts anew, so nothing of this org stays in it. */
export async function openOrg(proof: Proof): Promise<void> {
  try {
    await signIn(proof);
    location.assign(base);
  } catch (error) {
    tellError(asApiError(error).message);
  }
}
