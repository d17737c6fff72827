// Writes the typed table of all operations for the dashboard: `npm run generate`.

import { writeFileSync } from 'node:fs';
import { apiTable } from './api-table.ts';

writeFileSync(new URL('../../dashboard/api/generated.ts', import.meta.url), apiTable());
