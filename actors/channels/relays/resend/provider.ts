// How Resend is talked to.

import type { RelayService } from '../relay.ts';

export const resendService: RelayService = {
  open: async () => (await import('./account.ts')).openResend,
  readEvents: async () => (await import('./events.ts')).readResendEvents,
  holdsMails: true,
};
