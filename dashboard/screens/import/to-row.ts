// A line of the file as a row of the import: the body of an upsert, or what is wrong with it.

import { cellValue, jsonTagValue, parts, tagValue } from '../../../files/typed-value.ts';
import type { Operations } from '../../api/generated.ts';
import type { Mapping, Target } from './target.ts';

export type ImportRow = Operations['importSubscribers']['body']['rows'][number];
type Tags = Record<string, string | number | boolean | readonly string[] | null>;
type Device = NonNullable<ImportRow['devices']>[number];
type Channel = Device['channel'];

/** Of addresses and channels; a tag's list has the separator of its column. */
const anySeparator = /[|;,]/;

export function toRow(
  cells: readonly string[],
  mapping: Mapping,
  header: readonly string[],
  /** The values of JSON that the cells show. */
  values?: readonly unknown[],
): { readonly row: ImportRow } | { readonly problem: string } {
  const tags: Tags = {};
  const devices: Device[] = [];
  const rest: { externalUserId?: string; timezone?: string; preferredChannels?: Channel[] } = {};
  for (const [column, target] of mapping.entries()) {
    const cell = cellValue(cells[column] ?? '');
    if (cell === '' || target.kind === 'skip') continue;
    const problem = put(target, cell, { tags, devices, rest, value: values?.[column] });
    if (problem !== undefined) return { problem: `${header[column] ?? column + 1}: ${problem}` };
  }
  const row = {
    ...rest,
    ...(Object.keys(tags).length === 0 ? {} : { tags }),
    ...(devices.length === 0 ? {} : { devices }),
  };
  return Object.keys(row).length === 0 ? { problem: 'the line is empty' } : { row };
}

interface Parts {
  readonly tags: Tags;
  readonly devices: Device[];
  readonly rest: { externalUserId?: string; timezone?: string; preferredChannels?: Channel[] };
  /** In JSON. */
  readonly value: unknown;
}

/** Returns what is wrong with the cell. */
function put(target: Target, cell: string, into: Parts): string | undefined {
  const { tags, devices, rest } = into;
  switch (target.kind) {
    case 'skip':
      return undefined;
    case 'externalId':
      if (isRounded(cell))
        return `a spreadsheet has rounded “${cell}”; give the column the format Text there`;
      rest.externalUserId = cell;
      return undefined;
    case 'timezone':
      rest.timezone = cell;
      return undefined;
    case 'preferences':
      rest.preferredChannels = parts(cell, anySeparator).map((one) => one.toLowerCase() as Channel);
      return undefined;
    case 'device':
      for (const endpoint of target.channel === 'email' ? parts(cell, anySeparator) : [cell])
        devices.push({ channel: target.channel, endpoint });
      return undefined;
    case 'tag':
      return putTag(target, cell, into);
    case 'tagsJson':
    case 'devicesJson':
      return putJson(target.kind, cell, { tags, devices });
  }
}

/** As spreadsheets write a long number. Many ids become the same one. */
function isRounded(id: string): boolean {
  return /^-?\d(?:[.,]\d+)?E\+\d{2,}$/.test(id);
}

function putTag(
  { key, type, splitAt }: Extract<Target, { readonly kind: 'tag' }>,
  cell: string,
  { tags, value }: Parts,
): string | undefined {
  const made = jsonTagValue(value, type) ?? tagValue(cell, type, splitAt);
  if (made === undefined)
    return type === 'number'
      ? `expected a number like 12 or -3.5, which “${cell}” is not`
      : `expected yes or no, not “${cell}”`;
  if (Object.hasOwn(tags, key)) return `another column gives the tag ${key} a value too`;
  tags[key] = made;
  return undefined;
}

function putJson(
  kind: 'tagsJson' | 'devicesJson',
  cell: string,
  { tags, devices }: Pick<Parts, 'tags' | 'devices'>,
): string | undefined {
  try {
    const value: unknown = JSON.parse(cell);
    if (kind === 'devicesJson') {
      for (const one of value as Device[]) devices.push(deviceOf(one));
      return undefined;
    }
    const twice = Object.keys(value as Tags).find((key) => Object.hasOwn(tags, key));
    if (twice !== undefined) return `another column gives the tag ${twice} a value too`;
    Object.assign(tags, value);
    return undefined;
  } catch {
    return 'is not valid JSON';
  }
}

/** Of an exported device, what can be imported. */
function deviceOf({ channel, endpoint, environment, enabled }: Device): Device {
  return {
    channel,
    endpoint,
    ...(environment === undefined ? {} : { environment }),
    ...(enabled === false ? { enabled } : {}),
  };
}
