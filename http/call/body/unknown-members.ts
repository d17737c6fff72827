// Finds the members of a body that its schema does not know. They are dropped, and a dropped
// `segmentID` would send to everyone, so every answer names them. A schema's check is built once;
// open records have none, so a body costs a lookup for each member of its objects.

import { z } from 'zod';
import type { UnknownMember } from '../../../actors/faults.ts';
import { isObject } from '../../../actors/is-object.ts';
import {
  meantBy,
  type OtherNames,
  unknownMembersMax,
  unknownNameCharsMax,
  unknownWarning,
} from '../../../actors/near-name.ts';
import { pathText } from '../answer/errors.ts';
import { laterJudgeOf } from './judged-later.ts';
import { isContent, unsupportedIn, unsupportedParts } from './unsupported-content.ts';

export type Path = (string | number)[];
/** Reports what it does not know; adds to and restores `path`. */
export type MembersCheck = (value: unknown, path: Path, found: Found) => void;

/** Names that are common elsewhere, and the member that does their work here. */
const otherNames = new WeakMap<z.ZodType, OtherNames>();
/** The same in any object that has the member, in lower case without separators. */
const linkNames =
  /^(?:(?:action|button|click|cta|landing|launch|tap|target|web)?(?:url|uri|href)|clickaction)$/;
const declared = new WeakMap<z.ZodType, MembersCheck>();
const built = new WeakMap<z.ZodType, MembersCheck | null>();

/** Each name once: a thousand rows with the same slip are one warning. */
export class Found {
  readonly #byName = new Map<string, UnknownMember>();
  readonly #unsupported: UnknownMember[] = [];

  /** A member of content that changes what is delivered; the first is enough to refuse the call. */
  refuse(path: Path, name: string, warning: string) {
    if (this.#unsupported.length > 0) return;
    const field = pathText([...path, name.slice(0, unknownNameCharsMax)]);
    this.#unsupported.push({ field, warning, isUnsupported: true });
  }

  /** Such a member within one of content, which may be unknown itself. */
  refuseParts(path: Path, name: string, value: unknown) {
    if (value === null || typeof value !== 'object') return;
    for (const [inner, why] of unsupportedParts(name, value))
      this.refuse([...path, name], inner, why);
  }

  add(path: Path, name: string, known: readonly string[], others: OtherNames = {}, more = {}) {
    const place = [...path.filter((part) => typeof part === 'string'), name].join('\n');
    if (this.#byName.size >= unknownMembersMax || this.#byName.has(place)) return;
    const meant = meantBy(name, known, others) ?? linkName(name, known);
    const field = pathText([...path, name.slice(0, unknownNameCharsMax)]);
    this.#byName.set(place, { ...unknownWarning(field, meant), ...more });
  }

  get all(): readonly UnknownMember[] {
    return [...this.#unsupported, ...this.#byName.values()];
  }
}

const none: readonly UnknownMember[] = [];

/** Of a body, also a refused one; at most 50, each name once. */
export function unknownMembers(schema: z.ZodType, body: unknown): readonly UnknownMember[] {
  const check = checkOf(schema);
  if (check === undefined) return none;
  const found = new Found();
  check(body, [], found);
  return found.all;
}

/** For a value that other code parses. `namesOf` returns an object's known members. */
export function membersOf<Schema extends z.ZodType>(
  schema: Schema,
  namesOf: (value: Readonly<Record<string, unknown>>) => readonly string[],
  inside: Readonly<Record<string, z.ZodType | 'same'>>,
): Schema {
  const check: MembersCheck = (value, path, found) => {
    if (Array.isArray(value)) return eachOf(check)(value, path, found);
    if (!isObject(value)) return;
    const names = namesOf(value);
    for (const [name, member] of Object.entries(value)) {
      if (!names.includes(name)) {
        const why = isContent(names) ? unsupportedIn(name, member) : undefined;
        if (why !== undefined) found.refuse(path, name, why);
        else found.add(path, name, names);
      }
      if (isContent(names)) found.refuseParts(path, name, member);
      const within = Object.hasOwn(inside, name) ? inside[name] : undefined;
      if (within === undefined) continue;
      below(within === 'same' ? check : checkOf(within), member, name, path, found);
    }
  };
  declared.set(schema, check);
  return schema;
}

/** For a schema that no other rule of this file fits. */
export function membersBy(schema: z.ZodType, check: MembersCheck): void {
  declared.set(schema, check);
}

/** Names that callers of other products use for a member of this one. */
export function alsoCalled<Schema extends z.ZodType>(schema: Schema, names: OtherNames): Schema {
  otherNames.set(schema, names);
  return schema;
}

const sending = new WeakSet<z.ZodType>();

/** For a body that sends what is saved, and so has no content of its own. */
export function sendsSaved<Schema extends z.ZodType>(schema: Schema): Schema {
  sending.add(schema);
  return schema;
}

/** What a tap opens: every product has its own word for it. */
function linkName(name: string, known: readonly string[]): string | undefined {
  if (name.length > unknownNameCharsMax || !known.includes('deepLink')) return undefined;
  return linkNames.test(name.toLowerCase().replaceAll(/[^a-z]/g, '')) ? 'deepLink' : undefined;
}

function checkOf(schema: z.ZodType): MembersCheck | undefined {
  const own = declared.get(schema);
  if (own !== undefined) return own;
  let check = built.get(schema);
  if (check === undefined) {
    check = build(schema) ?? null;
    built.set(schema, check);
  }
  return check ?? undefined;
}

function build(schema: z.ZodType): MembersCheck | undefined {
  const judge = laterJudgeOf(schema);
  if (judge !== undefined) return checkOf(judge);
  if (schema instanceof z.ZodObject) return objectCheck(schema);
  if (schema instanceof z.ZodArray) {
    const item = checkOf(schema.element as z.ZodType);
    return item === undefined ? undefined : eachOf(item);
  }
  if (schema instanceof z.ZodRecord) {
    const member = checkOf(schema.valueType as z.ZodType);
    return member === undefined ? undefined : everyMember(member);
  }
  if (schema instanceof z.ZodUnion) return unionCheck(schema.options as readonly z.ZodType[]);
  if (schema instanceof z.ZodPipe) return checkOf(schema.in as z.ZodType);
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault
  )
    return checkOf(schema.unwrap() as z.ZodType);
  return undefined;
}

function objectCheck(schema: z.ZodObject): MembersCheck {
  const known = Object.keys(schema.shape);
  const others = otherNames.get(schema);
  const inside = new Map(known.map((name) => [name, checkOf(schema.shape[name] as z.ZodType)]));
  const isSent = isContent(known) || sending.has(schema);
  const isOpen = schema._zod.def.catchall instanceof z.ZodUnknown;
  return (value, path, found) => {
    if (!isObject(value)) return;
    for (const name in value) {
      if (isSent) found.refuseParts(path, name, value[name]);
      if (inside.has(name)) {
        below(inside.get(name), value[name], name, path, found);
        continue;
      }
      const why = isSent ? unsupportedIn(name, value[name]) : undefined;
      if (why !== undefined) found.refuse(path, name, why);
      else if (!isOpen) found.add(path, name, known, others);
    }
  };
}

/** The first option that accepts the value decides, as it does for zod. */
function unionCheck(options: readonly z.ZodType[]): MembersCheck | undefined {
  if (options.every((option) => checkOf(option) === undefined)) return undefined;
  return (value, path, found) => {
    const accepting = options.find((option) => option.safeParse(value).success);
    if (accepting !== undefined) checkOf(accepting)?.(value, path, found);
  };
}

function eachOf(item: MembersCheck): MembersCheck {
  return (value, path, found) => {
    if (Array.isArray(value))
      for (const [index, one] of value.entries()) below(item, one, index, path, found);
  };
}

function everyMember(member: MembersCheck): MembersCheck {
  return (value, path, found) => {
    if (isObject(value)) for (const name in value) below(member, value[name], name, path, found);
  };
}

function below(
  check: MembersCheck | undefined,
  value: unknown,
  part: string | number,
  path: Path,
  found: Found,
): void {
  if (check === undefined || value === null || typeof value !== 'object') return;
  path.push(part);
  check(value, path, found);
  path.pop();
}
