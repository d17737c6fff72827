// The table of all operations that the server has now, as TypeScript source.

import { describeApi } from '../../http/describe/outside-routes.ts';
import { routes } from '../../http/routes/index.ts';
import { clientSource, type Description } from './client-source.ts';

export function apiTable(): string {
  return clientSource(describeApi(routes, '') as unknown as Description);
}
