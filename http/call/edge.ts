// The whole edge: what handlers use (call-edge.ts) and what only the code around them needs.

import type { Log } from '../../engine/observe/log.ts';
import type { Admission } from './admission/admit.ts';
import type { Authenticator } from './admission/authenticate.ts';
import type { CallConfig, CallEdge } from './call-edge.ts';

interface EdgeConfig extends CallConfig {
  readonly dataDir: string;
  /** How many proxies in front add to `X-Forwarded-For`. */
  readonly trustedProxies: number;
}

export interface Edge extends CallEdge {
  readonly config: EdgeConfig;
  readonly authenticator: Authenticator;
  readonly admission: Admission;
  readonly log: Log;
}
