// Makes `undefined` fields absent. An optional schema field has the type `T | undefined`, which
// messages to actors refuse under exactOptionalPropertyTypes.

/** Fields are present or absent, never `undefined`. */
export type Present<T> = { readonly [K in keyof T]: Exclude<T[K], undefined> };

/** A shallow copy without `undefined` fields. Keeps `null`, which has a meaning. */
export function present<T extends object>(value: T): Present<T> {
  const kept: Record<string, unknown> = {};
  for (const key in value) if (value[key] !== undefined) kept[key] = value[key];
  return kept as Present<T>;
}
