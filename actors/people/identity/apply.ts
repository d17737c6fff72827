// Folds an app's identity keys. People, devices and events of a login have entries of their own.

import type { Applies } from '../../../engine/actor/protocol.ts';
import type { IdentityMemory } from './memory.ts';
import type { IdentityEntry } from './protocol.ts';

export const identityApplies: Applies<IdentityEntry, IdentityMemory> = {
  'identity.secret_changed': (state, { owner, secret }) => {
    const app = state.apps.get(owner);
    if (app !== undefined) app.identity = { ...app.identity, secret };
  },
  // The record has it.
  'sessions.ended': () => undefined,
  'identity.token_key_changed': (state, { owner, sealed }) => {
    const app = state.apps.get(owner);
    if (app !== undefined) app.identity = { ...app.identity, tokenKey: sealed };
  },
};
