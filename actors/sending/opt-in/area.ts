// Sign-ups with a double opt-in: the mail that asks, and the confirmation.

import { optInMails, optIns, optInsOfPeople, owedOptIns } from '../../../storage/tables/opt-in.ts';
import type { Area } from '../../area.ts';
import { optInApplies } from './apply.ts';
import { optInsCounted } from './counted.ts';
import { optInDecisions } from './decide.ts';
import { type OptInMemory, type OptInView, optInOfApp } from './memory.ts';
import { forgottenOptIns, mergedOptIns } from './rows.ts';
import type { SignUpRules } from './sign-up.ts';
import { optInTimers } from './timers.ts';

export const optInArea = {
  name: 'opt-in',
  app: optInOfApp,
  decide: (rules: SignUpRules) => optInDecisions(rules),
  apply: optInApplies,
  silent: [
    'opt_in.asked',
    'opt_in.confirmed',
    'opt_in.swept',
    'opt_in.owed',
    'opt_in.mailing',
    'opt_in.counted',
  ],
  derive: optInsCounted,
  stores: { 'opt_in.sign_up': 'adds_unproven' },
  whenDiskIsFull: [
    'opt_in.read',
    'opt_in.preferences',
    'opt_in.person_at',
    'opt_in.sweep',
    'opt_in.count',
    'opt_in.leave_topic',
  ],
  stored: { tables: [['people', optIns]] },
  tables: [optIns, optInsOfPeople, optInMails, owedOptIns],
  timers: optInTimers,
  on: {
    erasePerson: (_app, { person }, context) => forgottenOptIns(person, context),
    expirePerson: (_app, { person }, context) => forgottenOptIns(person, context),
    mergePeople: mergedOptIns,
    // Who was asked since the backup would be asked again.
    backupRestored: (app) => {
      app.optIns = { ...app.optIns, life: app.optIns.life + 1 };
    },
  },
} as const satisfies Area<never, OptInMemory, OptInView, object>;
