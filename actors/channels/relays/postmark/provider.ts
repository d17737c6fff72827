// How Postmark is talked to.

import type { RelayService } from '../relay.ts';

export const postmarkService: RelayService = {
  open: async () => (await import('./account.ts')).openPostmark,
  readEvents: async () => (await import('./events.ts')).readPostmarkEvents,
  holdsMails: true,
};
