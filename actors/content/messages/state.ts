// The count of saved messages, which are in their table.

import type { NewApp, Slice } from '../../area.ts';

export interface MessagesApp {
  messageCount: number;
}

export const messagesOfApp: Slice<MessagesApp, MessagesApp, NewApp> = {
  make: () => ({ messageCount: 0 }),
  snapshot: ({ messageCount }) => ({ messageCount }),
  restore: ({ messageCount }) => ({ messageCount }),
};
