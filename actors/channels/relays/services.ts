// How each kind of relay is talked to, one line each. Apart from `kinds.ts`, because most code needs
// only the kinds' data.

import { httpService } from './gateway/service.ts';
import type { RelayKindName, RelayService } from './relay.ts';

export const relayServices: Readonly<Partial<Record<RelayKindName, RelayService>>> = {
  http: httpService,
};
