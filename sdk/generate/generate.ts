// Writes the typed table of all operations and the sentences of reasons for the dashboard, and the
// methods of the client for servers: `npm run generate`.

import { writeFileSync } from 'node:fs';
import { apiTable, nodeTable } from './api-table.ts';
import { reasonTable } from './reason-table.ts';

writeFileSync(new URL('../../dashboard/api/generated.ts', import.meta.url), apiTable());
writeFileSync(
  new URL('../../dashboard/words/reasons.generated.ts', import.meta.url),
  reasonTable(),
);
writeFileSync(new URL('../node/src/methods.generated.ts', import.meta.url), nodeTable());
