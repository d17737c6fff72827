// Before and after of a change, as the members that differ, by their paths.

export interface Difference {
  /** `email.fromAddress`. */
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

type Values = Readonly<Record<string, unknown>>;

/** Members of both; those that are the same are left out. */
export function differencesOf(
  before: Values | undefined,
  after: Values | undefined,
): readonly Difference[] {
  const one = flat(before ?? {});
  const other = flat(after ?? {});
  const paths = [...new Set([...one.keys(), ...other.keys()])];
  return paths
    .map((path) => ({ path, before: one.get(path), after: other.get(path) }))
    .filter((difference) => difference.before !== difference.after);
}

/** Paths and texts of all that is set and no object. Lists are one value. */
function flat(values: Values, under = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of Object.entries(values)) {
    const path = under === '' ? name : `${under}.${name}`;
    if (isObject(value)) for (const [inner, text] of flat(value, path)) found.set(inner, text);
    else if (value !== undefined && value !== null) found.set(path, textOf(value));
  }
  return found;
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
