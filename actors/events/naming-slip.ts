// Names the member that may be why an event was refused: `external_user_id` when `externalUserId`
// is missing. Only a refused event pays for it.

import { meantBy } from '../unknown-member.ts';
import { otherEventNames } from './unknown-names.ts';

/** Those that an error can start with. */
const known = ['name', 'externalUserId', 'subscriberId', 'id', 'at', 'props'];
const shownCharsMax = 64;

/** The error with the member that was probably meant to be the field it starts with. */
export function namingSlip(error: string, event: object): string {
  for (const name of Object.keys(event)) {
    if (known.includes(name)) continue;
    const meant = meantBy(name, known, otherEventNames);
    if (meant !== undefined && !Object.hasOwn(event, meant) && error.startsWith(`${meant}: `))
      return `${error}. ${name.slice(0, shownCharsMax)}: unknown; did you mean ${meant}?`;
  }
  return error;
}
