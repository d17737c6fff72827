// Parses an object by its schema, member by member, without asking about the members that it does
// not have: a send has six of thirty. The result is the schema's own. Where a member is refused, or
// a schema is of another kind, the whole schema judges, so that its words are the only ones.

import { z } from 'zod';

interface Member {
  readonly name: string;
  readonly read: Reader;
  /** Without it the object is refused. */
  readonly isRequired: boolean;
  /** What the schema says for an absent one. */
  readonly absent: string | number | boolean | undefined;
}

/** The parsed value; `undefined` if the schema refuses it, or it may. No JSON has it. */
type Reader = (value: unknown) => unknown;

const known = new WeakMap<z.ZodType, readonly Member[] | null>();

/** The parsed object; `undefined` if the whole schema has to judge it. */
export function parseSparse(schema: z.ZodType, value: unknown): object | undefined {
  let members = known.get(schema);
  if (members === undefined) {
    members = membersOf(schema) ?? null;
    known.set(schema, members);
  }
  if (members === null) return undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const sent = value as Readonly<Record<string, unknown>>;
  const parsed: Record<string, unknown> = {};
  for (const { name, read, isRequired, absent } of members) {
    if (Object.hasOwn(sent, name)) {
      const member = read(sent[name]);
      if (member === undefined) return undefined;
      parsed[name] = member;
    } else if (isRequired) return undefined;
    else if (absent !== undefined) parsed[name] = absent;
  }
  return parsed;
}

/** `undefined` for schemas of which an object is more than its members. */
function membersOf(schema: z.ZodType): readonly Member[] | undefined {
  if (!(schema instanceof z.ZodObject)) return undefined;
  const { checks, catchall } = schema._zod.def;
  if ((checks ?? []).length > 0 || catchall !== undefined) return undefined;
  const members: Member[] = [];
  for (const [name, member] of Object.entries(schema.shape as Record<string, z.ZodType>)) {
    const result = z.object({ [name]: member }).safeParse({});
    const absent = result.success ? result.data[name] : undefined;
    // An object could be changed by its reader, and a new one is made by the schema alone.
    if (typeof absent === 'object' || typeof absent === 'function') return undefined;
    members.push({
      name,
      read: readerOf(member),
      isRequired: !result.success,
      absent: absent as Member['absent'],
    });
  }
  return members;
}

const context = { reportInput: true, async: false } as const;

/** By hand for texts and open records, which most members are: a schema takes ten times as long. */
function readerOf(schema: z.ZodType): Reader {
  if (schema instanceof z.ZodOptional) return readerOf(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodNullable) {
    const read = readerOf(schema.unwrap() as z.ZodType);
    return (value) => (value === null ? null : read(value));
  }
  const bounds = schema instanceof z.ZodString ? boundsOf(schema) : undefined;
  if (bounds !== undefined) {
    const [min, max] = bounds;
    return (value) => {
      if (typeof value !== 'string' || value.length < min || value.length > max) return undefined;
      return value;
    };
  }
  if (isOpenRecord(schema)) return copied;
  return (value) => {
    const result = schema._zod.run({ value, issues: [] }, context);
    return result instanceof Promise || result.issues.length > 0 ? undefined : result.value;
  };
}

/** The least and most characters of a text that has no other rule. */
function boundsOf(schema: z.ZodString): readonly [number, number] | undefined {
  const { checks, coerce } = schema._zod.def;
  if (coerce === true) return undefined;
  let [min, max] = [0, Number.POSITIVE_INFINITY];
  for (const { _zod } of checks ?? []) {
    const { check, minimum, maximum } = _zod.def as unknown as {
      readonly check: string;
      readonly minimum: number;
      readonly maximum: number;
    };
    if (check === 'min_length') min = Math.max(min, minimum);
    else if (check === 'max_length') max = Math.min(max, maximum);
    else return undefined;
  }
  return [min, max];
}

/** Whether it has any members of any value. */
function isOpenRecord(schema: z.ZodType): boolean {
  if (!(schema instanceof z.ZodRecord) || (schema._zod.def.checks ?? []).length > 0) return false;
  const { keyType, valueType } = schema;
  if (!(valueType instanceof z.ZodUnknown) || !(keyType instanceof z.ZodString)) return false;
  return (keyType._zod.def.checks ?? []).length === 0;
}

function copied(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return { ...value };
}
