// Fast equality of plain data, for properties: they compare too often for tap's own.

/** Throws unless both are the same as JSON. */
export function same(actual: unknown, expected: unknown): void {
  const left = JSON.stringify(actual);
  const right = JSON.stringify(expected);
  if (left !== right) throw new Error(`${left} is not ${right}`);
}
