// Who made a change, in words.

import type { AuditNote } from '../../api/generated.ts';
import { words } from './words.ts';

export function whoOf({ actor, actorName }: Pick<AuditNote, 'actor' | 'actorName'>): string {
  if (actor === 'operator') return words.operator;
  if (actor === 'system') return words.system;
  return actorName ?? actor;
}
