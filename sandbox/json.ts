// Reads JSON of unknown shape.

/** A JSON object with unknown members. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether it is an object: not `null`, an array or a scalar. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as an object, or an empty one, to read a chain of optional members without checks. */
export function objectOrEmpty(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The value if it is non-empty text. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The parsed text, or `undefined` if it is not JSON. JSON's own `null` comes back as `null`. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
