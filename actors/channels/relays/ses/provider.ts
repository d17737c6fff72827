// How Amazon SES is talked to.

import type { RelayService } from '../relay.ts';

export const sesService: RelayService = {
  open: async () => (await import('./account.ts')).openSesAccount,
  readEvents: async () => (await import('./events.ts')).readSesEvents,
  holdsMails: true,
};
