// A tag's value as it is typed. The API never converts types: 1 is not "1".

import type { Fields } from '../api/generated.ts';

export type Scalar = string | number | boolean;
export type ScalarType = 'string' | 'number' | 'boolean';
type TagField = Fields['tags'][number];

export function typeOf(value: Scalar): ScalarType {
  return typeof value as ScalarType;
}

/** The text as a value of a type; `undefined` if it is none. */
function scalarOf(text: string, type: ScalarType): Scalar | undefined {
  if (type === 'string') return text;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  const number = Number(text);
  return text.trim() === '' || !Number.isFinite(number) ? undefined : number;
}

/** The same value in another type, as far as it can be said there. */
export function retyped(value: Scalar, type: ScalarType): Scalar {
  const known = scalarOf(String(value), type);
  if (known !== undefined) return known;
  return type === 'number' ? 0 : type === 'boolean' ? true : '';
}

/** The types that a comparison with this tag can use; elements of a list are texts. */
export function scalarTypes(field: TagField | undefined): readonly ScalarType[] {
  const types = (field?.types ?? []).map((type) => (type === 'list' ? 'string' : type));
  return [...new Set(types)];
}

/** The value to begin with, of the type that people have. */
export function firstValue(field: TagField | undefined): Scalar {
  const [type = 'string'] = scalarTypes(field);
  return type === 'boolean' ? true : '';
}

/** A typed text becomes a number only where the tag has numbers and no texts. */
export function typed(text: string, field: TagField | undefined): Scalar {
  const types = scalarTypes(field);
  const [only] = types;
  if (types.length === 1 && only !== undefined && only !== 'string')
    return scalarOf(text, only) ?? text;
  return text;
}
