// What API keys are made for, and the scopes that each purpose needs.

import type { OpenedSession } from '../../api/generated.ts';

type Scope = OpenedSession['scopes'][number];

interface Purpose {
  readonly id: string;
  readonly label: string;
  readonly scopes: readonly Scope[];
}

export const purposes: readonly Purpose[] = [
  { id: 'send', label: 'Send transactional messages', scopes: ['send'] },
  { id: 'people', label: 'Keep people up to date', scopes: ['write'] },
  { id: 'backend', label: 'A backend that does both', scopes: ['write', 'send'] },
  { id: 'report', label: 'Read reports and exports', scopes: ['read'] },
  {
    id: 'agent',
    label: 'A script or an assistant that runs campaigns',
    scopes: ['read', 'write', 'send'],
  },
  {
    id: 'admin',
    label: 'Set up apps, keys and credentials',
    scopes: ['read', 'write', 'send', 'admin'],
  },
];

/** The purpose that these scopes are for; `undefined` for another choice. */
export function purposeOf(scopes: readonly Scope[]): string | undefined {
  const wanted = [...scopes].sort().join();
  return purposes.find((purpose) => [...purpose.scopes].sort().join() === wanted)?.id;
}
