// Marks opens and clicks that a machine made: they are events, and count for no person. The service
// writes the mark into their meta, where quotes inside a text are escaped.

import type { StoredEvents } from './stored-events.ts';

const mark = '"machine":true';

export function isMarkedMachine(metaJson: string | undefined): boolean {
  return metaJson?.includes(mark) === true;
}

/** Of a row with this name. Reads the meta of opens and clicks alone. */
export function isByMachine(
  name: string,
  events: Pick<StoredEvents, 'metaJson'>,
  row: number,
): boolean {
  return (name === 'opened' || name === 'clicked') && isMarkedMachine(events.metaJson(row));
}
