// How Brevo is talked to.

import type { RelayService } from '../relay.ts';

export const brevoService: RelayService = {
  open: async () => (await import('./account.ts')).openBrevo,
  readEvents: async () => (await import('./events.ts')).readBrevoEvents,
  holdsMails: true,
};
