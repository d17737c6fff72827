// The guard of a campaign as it is typed.

import type { Campaign } from '../../../api/generated.ts';

export interface GuardDraft {
  readonly guard: 'app' | 'own' | 'off';
  /** The limits that are not the app's. They stay while another choice is made. */
  readonly guardOwn: NonNullable<Campaign['guard']>;
}

export function guardDraft(guard: Campaign['guard']): GuardDraft {
  if (guard === null) return { guard: 'off', guardOwn: {} };
  return { guard: Object.keys(guard).length === 0 ? 'app' : 'own', guardOwn: guard };
}

export function guardBody({ guard, guardOwn }: GuardDraft): Campaign['guard'] {
  if (guard === 'off') return null;
  return guard === 'own' ? guardOwn : {};
}
