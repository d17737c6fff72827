// What an operator must know of a cluster, as log lines.

import type { MemberTrouble } from '../../../engine/cluster/members.ts';
import type { SeatTrouble } from '../../../engine/cluster/seat.ts';
import type { Log } from '../../../engine/observe/log.ts';

export type Trouble = MemberTrouble | SeatTrouble;

export function tellTrouble(log: Log, trouble: Trouble): void {
  switch (trouble.kind) {
    case 'copy_failed':
      log.error(
        { evt: 'cluster.copy_stopped', partition: trouble.partition, err: trouble.error },
        'a copy of a partition stopped: it keeps its files and does nothing more',
      );
      break;
    case 'diverged':
      log.error(
        { evt: 'cluster.diverged', partition: trouble.partition, node: trouble.member },
        'this copy and that of another member differ where they must be the same',
      );
      break;
    case 'clock_skew':
      log.error(
        { evt: 'cluster.clock_skew', durMs: Math.round(trouble.ms) },
        'the clock of this machine differs from those of most others',
      );
      break;
    case 'name_taken':
      log.error(
        { evt: 'cluster.name_twice', node: trouble.name },
        trouble.isOurs
          ? 'another process has the name of this one'
          : 'two processes of the cluster have one name',
      );
      break;
  }
}
