// People as CSV (RFC 4180) with a header line. Spreadsheets run a cell that begins with `=` as a
// formula, so such a cell gets an apostrophe in front; so does one with only apostrophes before
// such a character, which keeps the escaping reversible.

import type { PublicSubscriber } from '../../people/audience/public-view.ts';

const csvColumns = [
  'id',
  'externalUserId',
  'devices',
  'tags',
  'preferredChannels',
  'timezone',
  'createdAt',
  'updatedAt',
  'lastActiveAt',
] as const satisfies readonly (keyof PublicSubscriber)[];

export const csvHeader = `${csvColumns.join(',')}\r\n`;

// The last four are full-width forms, which East Asian spreadsheets treat alike.
const formula = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const special = /[",\r\n]/;

/** Devices and tags are JSON, `preferredChannels` is joined by `|`, and `null` is empty. */
export function subscriberLine(person: PublicSubscriber): string {
  return csvLine([
    person.id,
    person.externalUserId ?? '',
    JSON.stringify(person.devices),
    JSON.stringify(person.tags),
    person.preferredChannels?.join('|') ?? '',
    person.timezone ?? '',
    person.createdAt,
    person.updatedAt,
    person.lastActiveAt ?? '',
  ]);
}

/** One line with its line break. Takes any text. */
export function csvLine(cells: readonly string[]): string {
  let line = '';
  for (const [place, cell] of cells.entries()) line += (place === 0 ? '' : ',') + csvCell(cell);
  return `${line}\r\n`;
}

function csvCell(cell: string): string {
  const safe = formula.test(cell) ? `'${cell}` : cell;
  // Split and joined: replacing makes a string of as many pieces as there are quotes.
  return special.test(safe) ? `"${safe.split('"').join('""')}"` : safe;
}
