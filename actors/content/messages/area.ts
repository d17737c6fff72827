// Saved messages, with their previews and tests.

import { messages } from '../../../storage/tables/message.ts';
import type { Area } from '../../area.ts';
import type { AppState, OrgState, PartitionState } from '../../state.ts';

import { messagesApplies } from './apply.ts';
import { messagesDecisions } from './decide.ts';
import { messagesOfApp } from './state.ts';

export const messagesArea = {
  name: 'messages',
  app: messagesOfApp,
  decide: () => messagesDecisions,
  apply: messagesApplies,
  whenDiskIsFull: ['message.read', 'message.list', 'message.facts', 'message.delete'],
  tables: [messages],
} as const satisfies Area<never, PartitionState, AppState, OrgState>;
