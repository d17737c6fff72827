// How each kind of relay is talked to, one line each. Apart from `kinds.ts`, because most code needs
// only the kinds' data.

import type { RelayKindName, RelayService } from './relay.ts';
import { smtpService } from './smtp/provider.ts';

export const relayServices: Readonly<Partial<Record<RelayKindName, RelayService>>> = {
  smtp: smtpService,
};
