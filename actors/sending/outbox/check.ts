// Checks what is stored twice: the dead letters that each send counts, and open sends in memory
// against their records.

import { parseId } from '../../../engine/base/id.ts';
import { deadLetters, sends } from '../../../storage/tables/send.ts';
import { type AppCheck, type CheckedApp, checkOf, unlessDamaged } from '../../area-check.ts';
import type { SendsView } from './reads.ts';
import { sendRow } from './send-chunk.ts';

type Checked = Pick<SendsView, 'outbox' | 'people'>;

export function checkSends(app: Checked, checked: CheckedApp): AppCheck {
  const { cutMs, problem } = checked;
  /** Dead letters that sends count, minus those read so far. */
  const counted = new Map<string, { open: number; recovered: number }>();
  return {
    rows: [
      checkOf(sends, (row) => {
        const { id, acceptedMs, deadLettersOpen: open, deadLettersRecovered: recovered } = row;
        if (open + recovered > 0 && acceptedMs >= cutMs) counted.set(id, { open, recovered });
      }),
      // Letters are read after the sends.
      checkOf(deadLetters, ({ sendId, recoveredMs }) => {
        // Retention removes sends and letters page by page.
        if ((parseId('ntf', sendId)?.atMs ?? 0) < cutMs) return;
        const counts = counted.get(sendId);
        if (counts === undefined)
          problem(`: there is a dead letter of ${sendId}, which counts none`);
        else if (recoveredMs === undefined) counts.open--;
        else counts.recovered--;
      }),
    ],
    end: () => {
      for (const [sendId, { open, recovered }] of counted)
        if (open !== 0 || recovered !== 0)
          problem(
            `: ${sendId} counts ${open} open and ${recovered} recovered dead letters more than exist`,
          );
      checkOutbox(app, checked);
    },
  };
}

function checkOutbox(
  { outbox, people }: Checked,
  { owner, cutMs, documents, problem }: CheckedApp,
): void {
  for (const { sendId, acceptedMs, person, targets, origin } of outbox.jobs.values())
    unlessDamaged(() => {
      if (origin !== undefined) return; // marketing has no record of each send
      const at = `: ${sendId} is queued`;
      const row = sendRow(documents, owner, sendId);
      if (row === undefined) {
        if (acceptedMs >= cutMs) problem(`${at}, but has no record`);
        return;
      }
      if (people.canonical(row.person) !== person)
        problem(`${at} for person ${person}, but is for ${row.person}`);
      for (const { deviceId } of targets)
        if (!row.targets.some((target) => target.deviceId === deviceId))
          problem(`${at} for ${deviceId}, but is not for it`);
    });
}
