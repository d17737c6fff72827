// A person as calls name them: by subscriber id, or by the caller's own id as `external:<id>`.

import type { PersonRef } from '../../actors/people/audience/protocol.ts';

/** The actor checks existence. */
export function personNamed(text: string): PersonRef {
  return text.startsWith(externalPrefix)
    ? { externalUserId: text.slice(externalPrefix.length), isPrefixed: true }
    : { id: text };
}

const externalPrefix = 'external:';
