// What receivers report about an app's sender domains: addresses of servers and counts, no person.

import type { Area } from '../../area.ts';
import { dmarcApplies } from './apply.ts';
import { dmarcDecisions } from './decide.ts';
import { type DmarcMemory, type DmarcView, dmarcOfApp } from './memory.ts';

export const dmarcArea = {
  name: 'dmarc',
  app: dmarcOfApp,
  decide: () => dmarcDecisions,
  apply: dmarcApplies,
  silent: ['dmarc.reported'],
  whenDiskIsFull: ['dmarc.read'],
} as const satisfies Area<never, DmarcMemory, DmarcView, object>;
