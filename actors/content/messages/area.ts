// Saved messages, with their previews and tests.

import { messages } from '../../../storage/tables/message.ts';
import type { Area } from '../../area.ts';
import { answerPreview } from './answer-preview.ts';

import { messagesApplies } from './apply.ts';
import { checkMessages } from './check.ts';
import { messagesDecisions } from './decide.ts';
import { messageEdits, messageEnds } from './edits.ts';
import { type MessagesMemory, type MessagesView, messagesOfApp } from './memory.ts';

export const messagesArea = {
  name: 'messages',
  app: messagesOfApp,
  decide: () => messagesDecisions,
  apply: messagesApplies,
  silent: ['message.created', 'message.changed', 'message.deleted'],
  edits: messageEdits,
  ends: messageEnds,
  check: checkMessages,
  asks: { 'message.preview': answerPreview },
  whenDiskIsFull: [
    'message.read',
    'message.list',
    'message.uses',
    'message.facts',
    'message.delete',
  ],
  stored: { tables: [['content', messages]] },
  tables: [messages],
} as const satisfies Area<never, MessagesMemory, MessagesView, object>;
