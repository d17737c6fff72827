// Sessions of people in the dashboard, and the links that open them. A session ends with its
// member, key, app or org, and with a restore.

import type { Area } from '../../area.ts';
import { endAllSessions, endSessionsOfClosed, rebaseSessions, sessionsApplies } from './apply.ts';
import { sessionsDecisions } from './decide.ts';
import {
  type SessionsMemory,
  type SessionsOrgView,
  sessionsOfOrg,
  sessionsOfPartition,
} from './memory.ts';
import { signOutsIn } from './sign-outs.ts';

export const sessionsArea = {
  name: 'sessions',
  org: sessionsOfOrg,
  partition: sessionsOfPartition,
  decide: () => sessionsDecisions,
  announce: signOutsIn,
  apply: sessionsApplies,
  silent: [
    'session.opened',
    'session.seen',
    'session.ended',
    'sign_in_link.spent',
    'sign_in_link.made',
  ],
  whenDiskIsFull: [
    'session.find',
    'session.touch',
    'session.open_by_link', // whoever makes room has to sign in
    'session.spend_link',
    'session.open_by_key',
    'session.open_by_address',
    'session.end',
    'session.list',
    'session.memberships',
    'session.make_link',
    'session.read_link',
  ],
  on: {
    partitionRestored: endAllSessions,
    orgChanged: endSessionsOfClosed,
    clockRebased: rebaseSessions,
  },
} as const satisfies Area<never, SessionsMemory, object, SessionsOrgView>;
