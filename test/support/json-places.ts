// Where a JSON value holds something, for tests that put something else there.

/** Names and indexes from the root. */
export type JsonPath = readonly (string | number)[];

/** Every place in a JSON value that holds something. */
export function placesOf(value: unknown, path: JsonPath = []): JsonPath[] {
  const here = path.length > 0 ? [path] : [];
  if (typeof value !== 'object' || value === null) return here;
  const inner = Array.isArray(value)
    ? value.flatMap((one, index) => placesOf(one, [...path, index]))
    : Object.entries(value).flatMap(([name, one]) => placesOf(one, [...path, name]));
  return [...here, ...inner];
}
