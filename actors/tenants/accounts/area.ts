// Orgs, their keys and apps, and the settings of apps.

import type { Area } from '../../area.ts';

import { accountsApplies } from './apply.ts';
import { type AccountsRules, accountsDecisions } from './decide.ts';
import { accountsOfApp, accountsOfOrg, accountsOfPartition } from './state.ts';
import { accountsTimers } from './timers.ts';
import type { AccountsMemory, AccountsOrgView, AccountsView } from './view.ts';

export const accountsArea = {
  name: 'accounts',
  app: accountsOfApp,
  org: accountsOfOrg,
  partition: accountsOfPartition,
  decide: (rules: AccountsRules) => accountsDecisions(rules),
  apply: accountsApplies,
  whenDiskIsFull: [
    'org.read',
    'org.tally',
    'key.find',
    'key.list',
    'key.delete',
    'app.list',
    'app.read',
    'settings.read',
    'settings.patch', // a shorter retention is how an operator makes room
    'app.delete',
    'app.sweep',
    'credential.list',
    'email_domain.list',
    'email_domain.read',
    'credential.delete',
    'credential.rotate', // a provider has spent the old one already
  ],
  timers: accountsTimers,
} as const satisfies Area<never, AccountsMemory, AccountsView, AccountsOrgView>;
