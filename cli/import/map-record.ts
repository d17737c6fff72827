// One record of an export by the table of its service: known columns become what the table says,
// all others tags of their own names and types.

import { type ColumnFacts, noFacts, tagTypeOf } from '../../files/column-facts.ts';
import { snake } from '../../files/tag-name.ts';
import { tagValue } from '../../files/typed-value.ts';
import { Draft, type DraftOptions, type ImportedTag } from './draft.ts';
import type { Service, ServiceRecord } from './origin.ts';
import { WrongRecord } from './wrong-record.ts';

export interface MapOptions extends DraftOptions {
  /** `--id-column`, in lower case. */
  readonly idColumn?: string;
}

/** Columns with values that are not imported, by name. */
export type LeftColumns = Record<string, number>;

/**
 * The person, the opt-outs and the topics of a record. `facts` are those of the file's columns. A
 * record with a problem is nobody, but whoever opted out in it did.
 */
export function mapRecord(
  service: Service,
  record: ServiceRecord,
  facts: readonly ColumnFacts[],
  options: MapOptions,
  leftColumns?: LeftColumns,
): Draft {
  const draft = new Draft(options);
  const { idColumn } = options;
  if (idColumn !== undefined) draft.id(record.text(idColumn));
  draft.attempt(() => service.judge(record, draft));
  for (const [column, name] of record.names.entries()) {
    const low = name.toLowerCase();
    if (low === idColumn) continue;
    const meaning = Object.hasOwn(service.columns, low) ? service.columns[low] : undefined;
    const text = record.text(low);
    if (meaning === 'judged') continue;
    if (meaning === 'timezone') draft.timezone(text);
    else if (meaning === 'language') draft.language(text);
    else if (meaning === 'leftOut') {
      if (leftColumns !== undefined && hasValue(record.value(low)))
        leftColumns[name] = (leftColumns[name] ?? 0) + 1;
    } else if (service.tagObjects?.includes(low))
      draft.attempt(() => tagsOfObject(record.value(low), name, draft));
    else {
      const key = meaning === undefined ? snake(name) : meaning.tag;
      const { format } = record.file;
      const fact = facts[column] ?? noFacts;
      draft.tag(key, format === 'csv' ? typed(text, fact) : jsonTag(record.value(low), draft));
    }
  }
  draft.attempt(() => draft.row(() => undefined)); // somebody without an id is a wrong record
  if (draft.problem !== undefined) draft.isPerson = false;
  return draft;
}

function hasValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== null && value !== '';
}

/** The type is that of all values of the column, so no value is changed. */
function typed(text: string, facts: ColumnFacts): ImportedTag | undefined {
  if (text === '') return undefined;
  return tagValue(text, tagTypeOf(facts), facts.splitAt) ?? text;
}

/** Attributes that a service keeps as one value: JSON in a cell of a CSV. */
function tagsOfObject(value: unknown, name: string, draft: Draft): void {
  let object = value;
  if (typeof value === 'string') {
    if (value === '') return;
    try {
      object = JSON.parse(value);
    } catch {
      throw new WrongRecord(`${name}: expected JSON, as the service exports it`);
    }
  }
  if (object === undefined || object === null) return;
  if (typeof object !== 'object' || Array.isArray(object))
    throw new WrongRecord(`${name}: expected a JSON object`);
  for (const [key, one] of Object.entries(object)) draft.tag(key, jsonTag(one, draft));
}

/** `undefined` for nothing; what no tag can hold is counted as left out. */
function jsonTag(value: unknown, draft: Draft): ImportedTag | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (Array.isArray(value)) {
    if (value.length === 0) return undefined;
    const isFlat = value.every((one) => ['string', 'number', 'boolean'].includes(typeof one));
    if (isFlat) return value.map(String);
  }
  draft.left.push('tag_invalid');
  return undefined;
}
