// Identities of keyless clients: identity secrets, client tokens, logins, merging people.

import type { Message } from '../../../engine/actor/message.ts';
import { loginKeys } from '../../../storage/tables/login-key.ts';
import type { Area } from '../../area.ts';
import type { Notes } from '../../audit-note.ts';
import { isLeaving } from '../audience/preferences.ts';
import { identityApplies } from './apply.ts';
import { type IdentityRules, identityDecisions } from './decide.ts';
import { type IdentityMemory, type IdentityView, identityOfApp } from './memory.ts';
import type { IdentityEntry, IdentityProtocol, Login } from './protocol.ts';
import { rebasedSecret } from './sessions.ts';
import { identityUndone } from './undone.ts';

/** What the audit log notes of identity secrets and of sessions that were ended for someone. */
const identityNotes: Notes<IdentityEntry, IdentityMemory> = {
  'identity.secret_changed': (state, { owner }, _context, message) =>
    message.kind === 'identity.put_secret'
      ? { action: 'identity_secret.created', target: state.apps.get(owner)?.record.id ?? '' }
      : undefined,
  'sessions.ended': (_state, { subscriberId }, _context, message) =>
    message.kind === 'subscriber.end_sessions' // else their own logout or login
      ? { action: 'sessions.ended', target: subscriberId }
      : undefined,
};

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
    'sdk.set_preferences': ({ change }: Setting) =>
      isLeaving(change) ? undefined : 'adds_unproven',
  },
  whenDiskIsFull: [
    'sdk.describe',
    'sdk.person',
    'sdk.preferences',
    'sdk.set_preferences',
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

type Setting = Message & IdentityProtocol['sdk.set_preferences']['body'];

/** What a login stores: it adds a person unless it names one. */
function loginStores(
  { login }: Message & { readonly login?: Login },
  app: IdentityView,
): 'adds_unproven' | undefined {
  const { clientToken, externalUserId } = login ?? {};
  if (clientToken !== undefined) return undefined;
  const isKnown = externalUserId !== undefined && app.people.find(externalUserId) !== undefined;
  return isKnown ? undefined : 'adds_unproven';
}
