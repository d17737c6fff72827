// A line of the file as a row of the import: the body of an upsert, or what is wrong with it.

import type { Operations } from '../../api/generated.ts';
import type { Mapping, TagType, Target } from './mapping.ts';

export type ImportRow = Operations['importSubscribers']['body']['rows'][number];
type Tags = Record<string, string | number | boolean | readonly string[] | null>;
type Device = NonNullable<ImportRow['devices']>[number];
type Channel = Device['channel'];

export function toRow(
  cells: readonly string[],
  mapping: Mapping,
  header: readonly string[],
): { readonly row: ImportRow } | { readonly problem: string } {
  const tags: Tags = {};
  const devices: Device[] = [];
  const rest: { externalUserId?: string; timezone?: string; preferredChannels?: Channel[] } = {};
  for (const [column, target] of mapping.entries()) {
    const cell = plain(cells[column] ?? '').trim();
    if (cell === '' || target.kind === 'skip') continue;
    const problem = put(target, cell, { tags, devices, rest });
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
}

/** Returns what is wrong with the cell. */
function put(target: Target, cell: string, { tags, devices, rest }: Parts): string | undefined {
  switch (target.kind) {
    case 'skip':
      return undefined;
    case 'externalId':
      rest.externalUserId = cell;
      return undefined;
    case 'timezone':
      rest.timezone = cell;
      return undefined;
    case 'preferences':
      rest.preferredChannels = parts(cell).map((one) => one.toLowerCase() as Channel);
      return undefined;
    case 'device':
      for (const endpoint of target.channel === 'email' ? parts(cell) : [cell])
        devices.push({ channel: target.channel, endpoint });
      return undefined;
    case 'tag': {
      const value = tagValue(cell, target.type);
      if (value === undefined)
        return `expected ${target.type === 'number' ? 'a number' : 'yes or no'}, not “${cell}”`;
      tags[target.key] = value;
      return undefined;
    }
    case 'tagsJson':
    case 'devicesJson':
      return putJson(target.kind, cell, { tags, devices });
  }
}

function putJson(
  kind: 'tagsJson' | 'devicesJson',
  cell: string,
  { tags, devices }: Pick<Parts, 'tags' | 'devices'>,
): string | undefined {
  try {
    const value: unknown = JSON.parse(cell);
    if (kind === 'tagsJson') Object.assign(tags, value);
    else for (const one of value as Device[]) devices.push(deviceOf(one));
    return undefined;
  } catch {
    return 'is not JSON';
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

/** `undefined` if the cell is no value of the type. */
export function tagValue(
  cell: string,
  type: TagType,
): string | number | boolean | readonly string[] | undefined {
  if (type === 'list') return parts(cell);
  if (type === 'string') return cell;
  if (type === 'number') return Number.isFinite(Number(cell)) ? Number(cell) : undefined;
  if (/^(true|yes|1)$/i.test(cell)) return true;
  return /^(false|no|0)$/i.test(cell) ? false : undefined;
}

function parts(cell: string): string[] {
  return cell
    .split(/[|;,]/)
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

/** Takes off the apostrophe that an export puts before what a spreadsheet would run. */
function plain(cell: string): string {
  return /^'+[=+\-@\t\r\n]/.test(cell) ? cell.slice(1) : cell;
}
