// Writes the typed table of all operations for the dashboard: `npm run generate`.

import { writeFileSync } from 'node:fs';
import { describeApi } from '../../http/outside-routes.ts';
import { routes } from '../../http/routes/index.ts';
import { clientSource, type Description } from './client-source.ts';

const target = new URL('../../dashboard/api/generated.ts', import.meta.url);

/** What the file must contain. */
export function generated(): string {
  return clientSource(describeApi(routes, '') as unknown as Description);
}

if (process.argv[1]?.endsWith('generate.ts') === true) writeFileSync(target, generated());
