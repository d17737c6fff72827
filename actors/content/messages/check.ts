// Checks the count of saved messages against their records.

import { messages } from '../../../storage/tables/message.ts';
import { type AppCheck, type CheckedApp, checkOf } from '../../area-check.ts';
import type { MessagesApp } from './memory.ts';

export function checkMessages({ messageCount }: MessagesApp, { problem }: CheckedApp): AppCheck {
  let count = 0;
  return {
    rows: [
      checkOf(messages, ({ id }, key) => {
        count++;
        if (key[0] !== id) problem(`: the message ${id} is stored under ${String(key[0])}`);
      }),
    ],
    end: () => {
      if (count !== messageCount)
        problem(`: memory counts ${messageCount} messages, but there are ${count} records`);
    },
  };
}
