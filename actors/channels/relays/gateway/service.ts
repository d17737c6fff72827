// How gateways are talked to.

import type { RelayService } from '../relay.ts';

export const httpService = {
  open: async () => (await import('./account.ts')).openGatewayAccount,
  readEvents: async () => (await import('./events.ts')).readGatewayReports,
} as const satisfies RelayService;
