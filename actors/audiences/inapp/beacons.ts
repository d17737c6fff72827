// Folds the beacons among tracked events. A batch without their names costs nothing.

import type { EventBatch } from '../../events/log/event-batch.ts';
import type { InAppMessagesView } from './memory.ts';

export function foldBeacons({ inApp, traits }: InAppMessagesView, batch: EventBatch): void {
  const beacons = inApp.beaconsAmong(batch.names);
  if (beacons === undefined) return;
  for (let row = 0; row < batch.count; row++) {
    const beacon = beacons[batch.nameIndex(row)];
    const person = batch.person(row);
    if (beacon === undefined || !traits.alive.test(person)) continue;
    inApp.note(beacon, batch.reference(row, 'messageId'), person);
  }
}
