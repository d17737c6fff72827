// In-app messages, their feed, and who viewed, clicked, dismissed or read them.

import { messages } from '../../../storage/tables/message.ts';
import type { Area, Editable } from '../../area.ts';
import { type AppCheck, type CheckedApp, unlessDamaged } from '../../area-check.ts';
import { answerKept } from '../segments/counted.ts';
import { inAppApplies } from './apply.ts';
import { inAppDecisions } from './decide.ts';
import { inAppEtag } from './in-app-etag.ts';
import {
  type InAppApp,
  type InAppMessagesMemory,
  type InAppMessagesView,
  inAppOfApp,
} from './memory.ts';
import type { InAppEntry } from './protocol.ts';

export const inAppArea = {
  name: 'inapp',
  app: inAppOfApp,
  decide: () => inAppDecisions,
  apply: inAppApplies,
  silent: ['inapp.saved', 'inapp.deleted'],
  edits: {
    'inapp.update': inAppOf,
  },
  ends: {
    'inapp.delete': inAppOf,
  },
  check: checkInApp,
  stored: {
    sums: [['content', ({ inApp }) => inApp.bytes]],
    growth: {
      'inapp.saved': ({ inApp }, { message }: Extract<InAppEntry, { kind: 'inapp.saved' }>) =>
        inApp.growth(message),
    },
  },
  asks: {
    'inapp.feed': answerKept('inapp.uncounted'),
    'inapp.mark': answerKept('inapp.uncounted'),
  },
  stores: { 'inapp.mark': 'adds_unproven' },
  whenDiskIsFull: ['inapp.read', 'inapp.list', 'inapp.uncounted', 'inapp.feed', 'inapp.delete'],
  on: {
    personErased: ({ inApp }, { person }) => inApp.forget(person),
    peopleExpired: ({ inApp }, people) => {
      for (const person of people) inApp.forget(person);
    },
    personMerged: ({ inApp }, { person, into }) => inApp.merge(person, into),
  },
} as const satisfies Area<never, InAppMessagesMemory, InAppMessagesView, object>;

/** Which messages change or delete an in-app message. */
function inAppOf(
  { apps }: InAppMessagesMemory,
  { id }: { readonly id: string },
  { owner }: { readonly owner: number },
): Editable | undefined {
  const record = apps.get(owner)?.inApp.get(id);
  return record && { key: id, etag: inAppEtag(record), changedMs: record.updatedMs };
}

/** Checks that the saved messages of in-app messages exist. */
function checkInApp({ inApp }: InAppApp, { documents, problem }: CheckedApp): AppCheck {
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
