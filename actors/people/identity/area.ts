// Identities of keyless clients: identity secrets, client tokens, logins, merging people.

import { loginKeys } from '../../../storage/tables/login-key.ts';
import type { Area } from '../../area.ts';
import { identityApplies } from './apply.ts';
import { type IdentityRules, identityDecisions } from './decide.ts';
import { loginStores } from './login-stores.ts';
import { type IdentityMemory, type IdentityView, identityOfApp } from './memory.ts';
import { identityNotes } from './notes.ts';
import { rebasedSecret } from './sessions.ts';
import { identityUndone } from './undone.ts';

export const identityArea = {
  name: 'identity',
  app: identityOfApp,
  decide: (rules: IdentityRules) => identityDecisions(rules),
  apply: identityApplies,
  silent: ['identity.secret_changed', 'sessions.ended', 'identity.token_key_changed'],
  notes: identityNotes,
  undone: identityUndone,
  stored: { tables: [['people', loginKeys]] },
  tables: [loginKeys],
  stores: {
    'sdk.login': loginStores,
    'sdk.register': 'adds_unproven',
    'sdk.tag': 'adds_unproven',
  },
  whenDiskIsFull: [
    'sdk.describe',
    'sdk.person',
    'sdk.unregister',
    'sdk.logout',
    'subscriber.end_sessions',
  ],
  on: {
    // A secret that was replaced at a wrong time stays valid for a day, not until that time.
    clockRebased: ({ apps }, to) => {
      for (const app of apps.values()) {
        const { secret } = app.identity;
        if (secret !== null) app.identity = { ...app.identity, secret: rebasedSecret(secret, to) };
      }
    },
  },
} as const satisfies Area<never, IdentityMemory, IdentityView, object>;
