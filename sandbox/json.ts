// Reads JSON of unknown shape.

export type JsonObject = Readonly<Record<string, unknown>>;

/** Not `null`, an array or a scalar. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object, or an empty one, to read optional fields without checks. */
export function objectOrEmpty(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** `undefined` if it is not JSON; JSON's `null` is `null`. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
