// How SendGrid is talked to.

import type { RelayService } from '../relay.ts';

export const sendgridService: RelayService = {
  open: async () => (await import('./account.ts')).openSendGridAccount,
  readEvents: async () => (await import('./events.ts')).readSendGridEvents,
  holdsMails: true,
};
