// `variables` of the transactional lane. `null` is refused: nearly always the caller failed to look
// the value up. Source: specification, "Transactional lane" and "Limits".

import { z } from 'zod';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { hasControlCharacter } from '../../channels/addresses/address.ts';
import type { Scalar } from '../liquid/context.ts';
import { contentLimits } from '../shape/content-limits.ts';

/** Validates the outer shape only, and describes the API. */
export const variablesSchema = z
  .record(z.string(), z.unknown())
  .describe(
    `Values for the template, used as {{ name }}: strings, numbers and booleans, at most ${contentLimits.variablesMax}. They override the person's tags. Names are in NFC. The filter \`date\` rejects values that are not dates.`,
  )
  .meta({
    maxProperties: contentLimits.variablesMax,
    additionalProperties: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] },
  });

const refusedKeys = new Set(['__proto__', 'constructor', 'prototype']);

/** Names in NFC without a problem, which callers repeat; a full set starts anew. */
const goodKeys = new Set<string>();
const goodKeysMax = 10_000;

/**
 * Keys have 1 to 64 characters without control characters; strings at most 64 Ki; numbers are
 * finite. Returns a copy with keys in NFC and without a prototype, or a fault
 * (`variables.order_id: …`).
 */
export function checkVariables(
  input: unknown,
  field = 'variables',
): { readonly variables: Readonly<Record<string, Scalar>> } | { readonly fault: Fault } {
  const variables: Record<string, Scalar> = Object.create(null);
  if (input === undefined) return { variables };
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return {
      fault: fieldFault(field, 'expected an object whose values are strings, numbers or booleans'),
    };
  }
  const keys = Object.keys(input);
  if (keys.length > contentLimits.variablesMax) return { fault: tooMany(field) };
  let isAnyOther = false;
  for (const written of keys) {
    const value = (input as Readonly<Record<string, unknown>>)[written];
    const isGood = goodKeys.has(written);
    // Templates name them in NFC.
    const key = isGood ? written : written.normalize();
    if (key !== written) isAnyOther = true;
    // Names in one form are different, as they are members of one object.
    const isTwice = isAnyOther && key in variables;
    const twice = isTwice ? 'appears twice, in two normal forms of Unicode' : undefined;
    const problem = (isGood ? undefined : keyProblem(key)) ?? valueProblem(value) ?? twice;
    if (problem !== undefined) {
      return {
        fault: fieldFault(`${field}.${key.slice(0, contentLimits.variableKeyMax)}`, problem),
      };
    }
    if (!isGood && key === written) noteGood(key);
    variables[key] = value as Scalar;
  }
  return { variables };
}

function noteGood(key: string): void {
  if (goodKeys.size >= goodKeysMax) goodKeys.clear();
  goodKeys.add(key);
}

/** A recipient's variables over the batch's. Both were checked; together they may be too many. */
export function mergeVariables(
  shared: Readonly<Record<string, Scalar>>,
  own: Readonly<Record<string, Scalar>>,
  field = 'variables',
): { readonly variables: Readonly<Record<string, Scalar>> } | { readonly fault: Fault } {
  const variables: Record<string, Scalar> = Object.create(null);
  for (const key of Object.keys(shared)) variables[key] = shared[key] as Scalar;
  for (const key of Object.keys(own)) variables[key] = own[key] as Scalar;
  if (Object.keys(variables).length > contentLimits.variablesMax) return { fault: tooMany(field) };
  return { variables };
}

function tooMany(field: string): Fault {
  return fieldFault(field, `at most ${contentLimits.variablesMax} variables`);
}

function keyProblem(key: string): string | undefined {
  if (key.length < 1 || key.length > contentLimits.variableKeyMax) {
    return `a key must have 1 to ${contentLimits.variableKeyMax} characters`;
  }
  if (refusedKeys.has(key) || hasControlCharacter(key)) return 'this key is not allowed';
  return undefined;
}

function valueProblem(value: unknown): string | undefined {
  if (value === null) return 'null is not allowed';
  if (typeof value === 'string') {
    return value.length > contentLimits.variableMax
      ? `at most ${contentLimits.variableMax} characters`
      : undefined;
  }
  if (typeof value === 'boolean' || Number.isFinite(value)) return undefined;
  return 'expected a string, number or boolean';
}

/** A recipient's variables over the shared ones; no copy if only one is given. */
export function mergedOver(shared: Given, own: Given): Given {
  if (shared === undefined || own === undefined) return own ?? shared;
  return { ...keysInNfc(shared), ...keysInNfc(own) };
}

/** As templates name them; the same object if all of its names are in NFC. */
export function keysInNfc(
  object: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (Object.keys(object).every((key) => key === key.normalize())) return object;
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key.normalize(), value]));
}

type Given = Readonly<Record<string, unknown>> | undefined;
