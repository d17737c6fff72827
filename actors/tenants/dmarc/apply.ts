// Folds aggregate reports.

import type { Applies } from '../../../engine/actor/protocol.ts';
import type { DmarcMemory } from './memory.ts';
import type { DmarcEntry } from './protocol.ts';

export const dmarcApplies: Applies<DmarcEntry, DmarcMemory> = {
  'dmarc.reported': (state, entry) => {
    const app = state.apps.get(entry.owner);
    app?.dmarc.keepOnly(app.emailDomains);
    app?.dmarc.fold(entry);
  },
};
