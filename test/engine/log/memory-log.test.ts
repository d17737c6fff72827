// The log's twin in memory.

import { MemoryLog, MemoryStream } from '../../../engine/log/memory-log.ts';
import { logConformance } from '../../conformance/partition-log.ts';

logConformance('memory', {
  create: async () => {
    const stream = new MemoryStream();
    return { reach: async () => new MemoryLog(stream) };
  },
});
