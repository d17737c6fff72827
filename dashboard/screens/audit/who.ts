// Who made a change, and in which app, in words.

import type { AuditNote } from '../../api/generated.ts';
import { words } from './words.ts';

export function whoOf({ actor, actorName }: Pick<AuditNote, 'actor' | 'actorName'>): string {
  if (actor === 'operator') return words.operator;
  if (actor === 'system') return words.system;
  if (actorName !== null) return actorName;
  return actor.startsWith('mbr_') ? words.formerMember : actor;
}

export function appOf({ appId, appName }: Pick<AuditNote, 'appId' | 'appName'>): string {
  return appId === null ? words.org : (appName ?? words.gone);
}
