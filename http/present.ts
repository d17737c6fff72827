// Turns members that are `undefined` into members that are absent. JSON has no undefined, but an
// optional member of a schema has the type `T | undefined`, which messages to actors refuse under
// exactOptionalPropertyTypes.

/** An object whose members are present or absent, never `undefined`. */
export type Present<T> = { readonly [K in keyof T]: Exclude<T[K], undefined> };

/**
 * A copy of `value` without the members that are `undefined`. Shallow; keeps `null`, which has a
 * meaning.
 */
export function present<T extends object>(value: T): Present<T> {
  const kept: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) if (member !== undefined) kept[key] = member;
  return kept as Present<T>;
}
