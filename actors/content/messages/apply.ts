// Counts saved messages; only the `messages` table has their content.

import type { Applies } from '../../../engine/actor/protocol.ts';
import type { MessagesMemory } from './memory.ts';
import type { MessagesEntry } from './protocol.ts';

export const messagesApplies: Applies<MessagesEntry, MessagesMemory> = {
  'message.created': (state, { owner }) => {
    const app = state.apps.get(owner);
    if (app !== undefined) app.messageCount++;
  },
  'message.changed': () => {},
  'message.deleted': (state, { owner }) => {
    const app = state.apps.get(owner);
    if (app !== undefined) app.messageCount--;
  },
};
