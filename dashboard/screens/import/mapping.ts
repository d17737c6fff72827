// What a column of a file becomes, and the guess from its name and its first values.

import { type ColumnFacts, noFacts, Survey, tagTypeOf } from '../../../files/column-facts.ts';
import { snake } from '../../../files/tag-name.ts';
import { cellValue, isYesNo, type TagType } from '../../../files/typed-value.ts';
import type { Mapping, Target } from './target.ts';

/** First match wins. */
const byName: readonly (readonly [RegExp, Target])[] = [
  [/^(external_?(user_?)?id|user_?id|customer_?id|client_?id|uid|id)$/, { kind: 'externalId' }],
  [/^(time_?zone|tz|iana_?zone)$/, { kind: 'timezone' }],
  [/^(preferred_?channels?|channel_?preference)$/, { kind: 'preferences' }],
  [/(^|_)e_?mail(_address)?$/, { kind: 'device', channel: 'email' }],
  [/(^|_)whats_?app(_number)?$/, { kind: 'device', channel: 'whatsapp' }],
  [/(^|_)(phone|mobile|cell|msisdn|sms|tel)(_?number)?$/, { kind: 'device', channel: 'sms' }],
  [/(^|_)(fcm|android)(_push)?(_token)?$/, { kind: 'device', channel: 'fcm' }],
  [/(^|_)(apns|ios)(_push)?(_token)?$/, { kind: 'device', channel: 'apns' }],
  [/(^|_)telegram(_chat)?(_id)?$/, { kind: 'device', channel: 'telegram' }],
  [/(^|_)viber(_id)?$/, { kind: 'device', channel: 'viber' }],
  [/(^|_)line(_user)?_id$/, { kind: 'device', channel: 'line' }],
  [/(^|_)zalo(_id)?$/, { kind: 'device', channel: 'zalo' }],
  [/(^|_)kakao(_number)?$/, { kind: 'device', channel: 'kakao' }],
];

/** Columns of an export that the server makes itself. */
const ofServer = ['created_at', 'updated_at', 'last_active_at'];

const email = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const phone = /^\p{Cf}*(\+|00)[\d ().\p{Pd}\p{Cf}]{7,20}$/u;
const zone = /^[A-Z][A-Za-z_]+\/[A-Z][A-Za-z_/+-]+$/;

/**
 * One target a column; at most one is the external id. Names and the first rows tell what a column
 * is, all of its values the type of a tag.
 */
export function guessMapping(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  facts: readonly ColumnFacts[] = factsOf(header.length, rows),
): Mapping {
  const isExport = header.includes('externalUserId');
  let hasId = false;
  return header.map((name, column) => {
    const values = rows.map((row) => cellValue(row[column] ?? '')).filter((one) => one !== '');
    const known = snake(name);
    if (isExport && (known === 'id' || ofServer.includes(known))) return { kind: 'skip' };
    const target = guessTarget(known, values, facts[column] ?? noFacts);
    if (target.kind !== 'externalId') return target;
    if (hasId) return tagOf(known, facts[column]);
    hasId = true;
    return target;
  });
}

function guessTarget(name: string, values: readonly string[], facts: ColumnFacts): Target {
  if (values.length > 0 && values.every((one) => one.startsWith('{')) && name === 'tags')
    return { kind: 'tagsJson' };
  if (values.length > 0 && values.every((one) => one.startsWith('[')) && name === 'devices')
    return { kind: 'devicesJson' };
  const named = byName.find(([pattern]) => pattern.test(name));
  if (named !== undefined && !contradicts(named[1], values)) return named[1];
  if (mostly(values, email)) return { kind: 'device', channel: 'email' };
  if (mostly(values, phone)) return { kind: 'device', channel: 'sms' };
  if (mostly(values, zone)) return { kind: 'timezone' };
  return name === '' ? { kind: 'skip' } : tagOf(name, facts);
}

/** The tag that a column becomes, of the guessed type or of one that a person chose. */
export function tagOf(
  key: string,
  facts: ColumnFacts = noFacts,
  type: TagType = tagTypeOf(facts),
): Target {
  const { splitAt } = facts;
  return {
    kind: 'tag',
    key,
    type,
    ...(type === 'list' && splitAt !== undefined ? { splitAt } : {}),
  };
}

/** A column "email" with yes and no is not an address. */
function contradicts(target: Target, values: readonly string[]): boolean {
  return target.kind === 'device' && values.length > 0 && values.every(isYesNo);
}

function mostly(values: readonly string[], pattern: RegExp): boolean {
  const fit = values.filter((one) => pattern.test(one)).length;
  return values.length > 0 && fit >= values.length * 0.8;
}

function factsOf(columns: number, rows: readonly (readonly string[])[]): readonly ColumnFacts[] {
  const survey = new Survey();
  for (const [at, cells] of rows.entries()) survey.addCells(at + 1, cells);
  return survey.facts(columns);
}

/** Columns that become one thing of a person, of which the last would overwrite the others. */
export interface Clash {
  readonly target: Target;
  readonly columns: readonly number[];
}

export function clashesOf(mapping: Mapping): readonly Clash[] {
  const columnsOf = new Map<string, number[]>();
  for (const [column, target] of mapping.entries()) {
    if (target.kind === 'skip' || target.kind === 'device' || target.kind === 'devicesJson')
      continue;
    const name = target.kind === 'tag' ? `tag ${target.key.normalize('NFC')}` : target.kind;
    columnsOf.set(name, [...(columnsOf.get(name) ?? []), column]);
  }
  return [...columnsOf.values()].flatMap((columns) => {
    const target = mapping[columns[0] ?? 0];
    return columns.length < 2 || target === undefined ? [] : [{ target, columns }];
  });
}
