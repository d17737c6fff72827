// Every kind of relay, one line each: what it is, as data.

import { http } from './gateway/kind.ts';
import type { RelayKind, RelayKindName } from './relay.ts';
import { smtp } from './smtp/kind.ts';

export const relayKinds: Readonly<Partial<Record<RelayKindName, RelayKind>>> = {
  smtp,
  http,
};
