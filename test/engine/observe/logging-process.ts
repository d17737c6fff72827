// A process that logs much, says so on its other output, and logs once more when its input ends.

import { createLog } from '../../../engine/observe/log.ts';

const log = createLog({ level: 'info', thread: 'front' });
for (let count = 0; count <= 5_000; count++) log.info({ evt: 'test.line', count });
log.fatal({ evt: 'test.line', count: 5_001 });
process.stderr.write('logged 5001\n');
process.stdin.resume().on('end', () => log.info({ evt: 'test.line', count: 5_002 }));
