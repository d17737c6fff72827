// How Mailgun is talked to.

import type { RelayService } from '../relay.ts';

export const mailgunService: RelayService = {
  open: async () => (await import('./account.ts')).openMailgunAccount,
  readEvents: async () => (await import('./events.ts')).readMailgunEvents,
  holdsMails: true,
};
