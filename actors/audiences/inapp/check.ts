// Checks that the saved messages of in-app messages exist.

import { messages } from '../../../storage/tables/message.ts';
import { type AppCheck, type CheckedApp, unlessDamaged } from '../../area-check.ts';
import type { InAppApp } from './memory.ts';

export function checkInApp({ inApp }: InAppApp, { documents, problem }: CheckedApp): AppCheck {
  return {
    end: () => {
      for (const { id, messageId } of inApp.records())
        unlessDamaged(() => {
          if (documents.get(messages, [messageId]) === undefined)
            problem(`: ${id} shows the message ${messageId}, which has no record`);
        });
    },
  };
}
