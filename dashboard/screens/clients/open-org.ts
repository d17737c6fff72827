// Changes to another org of the same person.

import { asApiError } from '../../api/errors.ts';
import { signIn } from '../../api/session.ts';
import { base } from '../../frame/address.ts';
import { tellError } from '../../ui/toast.tsx';

/** The page starts anew, so nothing of this org stays in it. */
export async function openOrg(org: string): Promise<void> {
  try {
    await signIn({ org });
    location.assign(base);
  } catch (error) {
    tellError(asApiError(error).message);
  }
}
