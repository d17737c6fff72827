// The whole edge: what handlers use (http/call-edge.ts), and what only the code around them needs.
// Made once, at start.

import type { Log } from '../engine/observe/log.ts';
import type { Admission } from './admit.ts';
import type { Authenticator } from './authenticate.ts';
import type { CallEdge } from './call-edge.ts';
import type { Config } from './config.ts';

export interface Edge extends CallEdge {
  readonly config: Config;
  readonly authenticator: Authenticator;
  readonly admission: Admission;
  readonly log: Log;
}
