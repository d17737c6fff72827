// The log on a real PostgreSQL: what every log must do, and what only a server among others meets.

import t from 'tap';
import { withoutPostgres } from '../../bench/support/postgres.ts';
import { logConformance } from '../conformance/partition-log.ts';
import { connected, logOf, startPostgres } from './support/postgres-logs.ts';

const missing = withoutPostgres();
if (missing !== false) {
  t.pass(`skipped: ${missing}`);
  t.comment(missing);
} else {
  const server = await startPostgres(t, { max_connections: '200' });
  let partitions = 0;
  logConformance('PostgreSQL', {
    create: async () => {
      const partition = ++partitions;
      return { reach: async () => logOf(await connected(t, [server]), partition) };
    },
  });
}
