// In-app messages, their feed, and who viewed, clicked, dismissed or read them.

import type { Area } from '../../area.ts';
import { answerKept } from '../segments/counted.ts';

import { inAppApplies } from './apply.ts';
import { checkInApp } from './check.ts';
import { inAppDecisions } from './decide.ts';
import { inAppEdits, inAppEnds } from './edits.ts';
import { type InAppMessagesMemory, type InAppMessagesView, inAppOfApp } from './memory.ts';
import type { InAppEntry } from './protocol.ts';

export const inAppArea = {
  name: 'inapp',
  app: inAppOfApp,
  decide: () => inAppDecisions,
  apply: inAppApplies,
  silent: ['inapp.saved', 'inapp.deleted'],
  edits: inAppEdits,
  ends: inAppEnds,
  check: checkInApp,
  stored: {
    sums: [['content', ({ inApp }) => inApp.bytes]],
    growth: {
      'inapp.saved': ({ inApp }, { message }: Extract<InAppEntry, { kind: 'inapp.saved' }>) =>
        inApp.growth(message),
    },
  },
  asks: { 'inapp.feed': answerKept('inapp.uncounted') },
  whenDiskIsFull: ['inapp.read', 'inapp.list', 'inapp.uncounted', 'inapp.feed', 'inapp.delete'],
  on: {
    personErased: ({ inApp }, { person }) => inApp.forget(person),
    peopleExpired: ({ inApp }, people) => {
      for (const person of people) inApp.forget(person);
    },
    personMerged: ({ inApp }, { person, into }) => inApp.merge(person, into),
  },
} as const satisfies Area<never, InAppMessagesMemory, InAppMessagesView, object>;
