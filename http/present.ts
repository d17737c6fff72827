// Tells "left out" from "undefined" for the compiler. JSON has no undefined, but an optional member
// of a schema has the type `T | undefined`, which messages to actors refuse under
// exactOptionalPropertyTypes.

/** An object whose members are there or left out, never `undefined`. */
export type Present<T> = { readonly [K in keyof T]: Exclude<T[K], undefined> };

/**
 * A copy of `value` without the members that are `undefined`. Shallow; `null` stays, it means
 * something.
 */
export function present<T extends object>(value: T): Present<T> {
  const kept: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) if (member !== undefined) kept[key] = member;
  return kept as Present<T>;
}
