// People as CSV: RFC 4180 with a header line, one column a member of the subscriber. What a reader
// would get wrong: the bytes are also opened by people in spreadsheets, where a cell that begins
// with `=` is a program. Such a cell gets an apostrophe in front, and so does one that has only
// apostrophes before such a character, which makes it exact: whoever takes one apostrophe from
// every cell of that form has the cells as they were.

import type { ShownSubscriber } from '../../people/audience/shown.ts';

/** The columns, in order. */
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
] as const satisfies readonly (keyof ShownSubscriber)[];

/** The header line. */
export const csvHeader = `${csvColumns.join(',')}\r\n`;

// The last four are the full-width forms of the first, which spreadsheets in East Asian languages
// take for them.
const formula = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const special = /[",\r\n]/;

/**
 * The line of one person. Devices and tags are cells of JSON, `preferredChannels` is joined by `|`,
 * and what is `null` is empty.
 */
export function subscriberLine(person: ShownSubscriber): string {
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

/** One line with its line break, every cell defused and quoted where it must be. Takes any text. */
export function csvLine(cells: readonly string[]): string {
  let line = '';
  for (const [place, cell] of cells.entries()) line += (place === 0 ? '' : ',') + csvCell(cell);
  return `${line}\r\n`;
}

function csvCell(cell: string): string {
  const safe = formula.test(cell) ? `'${cell}` : cell;
  // Split and joined, as replacing makes a string of as many pieces as there are quotes.
  return special.test(safe) ? `"${safe.split('"').join('""')}"` : safe;
}
