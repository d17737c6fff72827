// A JSON list of objects, as calls for several mails are answered. Pure.

import { isObject } from '../../is-object.ts';
import type { Json } from '../port/json.ts';

/** In their places, empty for other values; `undefined` for what is no list. */
export function objectsIn(body: string): readonly Json[] | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return Array.isArray(value) ? value.map((one) => (isObject(one) ? one : {})) : undefined;
  } catch {
    return undefined; // an HTML error page, or a body that was cut
  }
}
