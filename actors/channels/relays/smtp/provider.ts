// How a tenant's own mail server is talked to.

import type { RelayService } from '../relay.ts';

export const smtpService: RelayService = {
  open: async () => (await import('./account.ts')).openSmtp,
};
