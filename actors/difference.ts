// What differs between two records, member by member.

/** The fields that differ; `undefined` if none do. */
export function difference(
  before: object,
  after: object,
): { readonly before: object; readonly after: object } | undefined {
  const was: Record<string, unknown> = {};
  const is: Record<string, unknown> = {};
  for (const [member, value] of Object.entries(after)) {
    const old = (before as Record<string, unknown>)[member];
    if (JSON.stringify(old) === JSON.stringify(value)) continue;
    was[member] = old;
    is[member] = value;
  }
  return Object.keys(is).length === 0 ? undefined : { before: was, after: is };
}
