// Replaced secrets and ended sessions, which a restore must not undo.

import type { Context, DocumentWrite } from '../../../engine/actor/message.ts';
import { subscribers } from '../../../storage/tables/subscriber.ts';
import type { UndoneBy } from '../../undone.ts';
import { readPerson } from '../audience/find-person.ts';
import type { IdentityMemory, IdentityView } from './memory.ts';
import type { IdentityEntry, SessionsEnded } from './protocol.ts';
import { withEnded } from './sessions.ts';

export const identityUndone: UndoneBy<IdentityEntry, IdentityMemory> = {
  'identity.secret_changed': { rank: 5, about: () => 'identity secret' },
  'identity.token_key_changed': { rank: 6, about: () => 'token key' },
  'sessions.ended': {
    rank: 9,
    about: ({ subscriberId }) => `sessions ${subscriberId}`,
    isListedLater: true,
    again: ({ apps }, entry, context) => {
      const app = apps.get(entry.owner);
      const ended = app && endedAgain(app, entry, context);
      return ended && { documents: [ended] };
    },
  },
};

/** The record of somebody whose tokens have ended since the backup. */
function endedAgain(
  app: IdentityView,
  ended: SessionsEnded,
  context: Context,
): DocumentWrite | undefined {
  const { subscriberId: id } = ended;
  const row = readPerson(app, { id }, context);
  // Merged in the backup: that ended their tokens.
  const value = row?.id === id ? withEnded(row, ended) : undefined;
  return value && { table: subscribers, key: [value.person], value };
}
