// A log of which one call does something else, for tests of what must be found.

import type { PartitionLog } from '../../../../engine/log/partition-log.ts';

export function changedLog(
  change: (log: PartitionLog) => Partial<PartitionLog>,
): (log: PartitionLog) => PartitionLog {
  return (log) => {
    const changes = change(log);
    return {
      append: changes.append ?? ((frame, after) => log.append(frame, after)),
      appendAnywhere: (frame) => log.appendAnywhere(frame),
      read: changes.read ?? ((after, bytes) => log.read(after, bytes)),
      range: changes.range ?? (() => log.range()),
      tail: changes.tail ?? ((after, arrived) => log.tail(after, arrived)),
      trim: (through) => log.trim(through),
      close: () => log.close(),
    };
  };
}
