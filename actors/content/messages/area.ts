// Saved messages, with their previews and tests.

import type { Context } from '../../../engine/actor/message.ts';
import type { MessageOf } from '../../../engine/actor/protocol.ts';
import { messages } from '../../../storage/tables/message.ts';
import type { Area, Editable } from '../../area.ts';
import { type AppCheck, type CheckedApp, checkOf } from '../../area-check.ts';
import { askActor, type PoolQuestion, readFor } from '../../pool-question.ts';
import { contentEtag } from '../saved/content-etag.ts';
import { messagesApplies } from './apply.ts';
import { messagesDecisions } from './decide.ts';
import {
  type MessagesApp,
  type MessagesMemory,
  type MessagesView,
  messagesOfApp,
} from './memory.ts';
import { previewRead } from './pool-read.ts';
import type { MessagesProtocol, PreviewFacts } from './protocol.ts';
import { readMessage } from './read-message.ts';

type Asked = MessageOf<MessagesProtocol, 'message.preview'>;

/**
 * Answers a preview: the app's actor gives the facts, and the pool renders, because a preview may
 * cost as much as two sends and a turn holds up everyone's calls.
 */
const answerPreview: PoolQuestion<Asked> = (host, app, asked, answer) => {
  const { draft, channels, language, variables } = asked;
  const view = { draft, channels, language, variables };
  askActor<PreviewFacts>(host, app, { ...asked, kind: 'message.facts' }, answer, (facts) =>
    readFor(host, app, previewRead, { ...facts, ...view }, answer, (value) =>
      answer({ ok: true, value }),
    ),
  );
};

export const messagesArea = {
  name: 'messages',
  app: messagesOfApp,
  decide: () => messagesDecisions,
  apply: messagesApplies,
  silent: ['message.created', 'message.changed', 'message.deleted'],
  edits: {
    'message.update': messageOf,
  },
  ends: {
    'message.delete': messageOf,
  },
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

/** What counts as a change of a message for those who edit it: all that they wrote. */
function messageOf(
  _state: unknown,
  { id }: { readonly id: string },
  context: Context,
): Editable | undefined {
  const row = readMessage(id, context);
  return row && { key: id, etag: contentEtag(row), changedMs: row.updatedMs };
}

/** Checks the count of saved messages against their records. */
function checkMessages({ messageCount }: MessagesApp, { problem }: CheckedApp): AppCheck {
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
