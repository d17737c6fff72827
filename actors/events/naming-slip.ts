// Names the member that may be why an event was refused: `external_user_id` when `externalUserId`
// is missing. Only a refused event pays for it; unknown members of accepted ones stay unsaid.

import { nearName } from '../near-name.ts';

/** Those that an error can start with. */
const known = ['name', 'externalUserId', 'subscriberId', 'id', 'at', 'props'];
const shownCharsMax = 64;

/** Names that other products use. */
const otherNames: Readonly<Record<string, string>> = {
  event: 'name',
  userId: 'externalUserId',
  user_id: 'externalUserId',
  distinct_id: 'externalUserId',
};

/** The error with the member that was probably meant to be the field it starts with. */
export function namingSlip(error: string, event: object): string {
  for (const name of Object.keys(event)) {
    if (known.includes(name)) continue;
    const meant = Object.hasOwn(otherNames, name) ? otherNames[name] : nearName(name, known);
    if (meant !== undefined && !Object.hasOwn(event, meant) && error.startsWith(`${meant}: `))
      return `${error}. ${name.slice(0, shownCharsMax)}: unknown; did you mean ${meant}?`;
  }
  return error;
}
