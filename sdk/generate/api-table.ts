// The table of all operations that the server has now, as TypeScript source, and what grows stale
// with each of them.

import { describeApi } from '../../http/describe/outside-routes.ts';
import { routes } from '../../http/routes/index.ts';
import { clientSource, type Description } from './client-source.ts';
import { nodeSource } from './node-source.ts';
import { nounSource } from './noun-source.ts';

function description(): Description {
  return describeApi(routes, '') as unknown as Description;
}

/** For the dashboard. */
export function apiTable(): string {
  return clientSource(description()) + nounSource(routes);
}

/** For servers: `sdk/node`. */
export function nodeTable(): string {
  return nodeSource(description());
}
