// What a key lacks of the scopes that it would give away, by a key or by the role of a member:
// nobody gains by making another what they have not themselves.

import type { Fault } from '../../../engine/base/fault.ts';
import { fault } from '../../faults.ts';
import type { KeysReads } from './reads.ts';
import type { Scope } from './records.ts';

interface MakersOrg {
  readonly keyIds: ReadonlySet<string>;
  readonly members: ReadonlyMap<string, { readonly role: string }>;
}

/** `given`: for the sentence, such as `keys with scopes`. An owner has all scopes. */
export function beyondMaker(
  { keys }: KeysReads,
  { keyIds, members }: MakersOrg,
  actor: string | undefined,
  wanted: readonly Scope[],
  { field, given }: { readonly field: string; readonly given: string },
): Fault | undefined {
  if (actor === undefined) return undefined; // inside the system
  if (members.get(actor)?.role === 'owner') return undefined;
  const maker = [...keyIds].map((id) => keys.get(id)).find((key) => key?.id === actor);
  if (maker === undefined)
    return fault('unauthorized', 'the API key or the member of this call was removed');
  const missing = wanted.filter((scope) => !maker.scopes.includes(scope));
  if (missing.length === 0) return undefined;
  const lacks = `this key does not have ${missing.join(', ')}`;
  return { ...fault('forbidden', `${field}: ${lacks}, and a key can only ${given} it has`), field };
}
