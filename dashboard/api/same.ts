// Whether two values are the same to the API, and so no change.

export type Members = Readonly<Record<string, unknown>>;

/** In a guard `null` is "never", and left out "as the app". */
const whereNullCounts = new Set(['guard']);

/** The members of `body` that are not as they were; all, if it is not known how they were. */
export function changedIn(before: Members, body: Members): Members {
  if (Object.keys(before).length === 1) return body;
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => !isUnchanged(name, before[name], value)),
  );
}

function isUnchanged(name: string, one: unknown, other: unknown): boolean {
  return whereNullCounts.has(name)
    ? JSON.stringify(one) === JSON.stringify(other)
    : isSame(one, other);
}

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `null`, absent and an empty list are the same to the API's optional members. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(plain(one)) === JSON.stringify(plain(other));
}

function plain(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(plain);
  if (typeof value !== 'object') return value;
  const names = Object.keys(value).sort();
  const members = names.flatMap((name) => {
    const member = plain((value as Members)[name]);
    return member === null ? [] : [[name, member] as const];
  });
  return Object.fromEntries(members);
}

/** Whether a value has a part that neither answer has. */
export function hasNewPart(value: unknown, was: unknown, is: unknown): boolean {
  if (!isMembers(value)) return false;
  const [before, now] = [isMembers(was) ? was : {}, isMembers(is) ? is : {}];
  return Object.keys(value).some((part) => !(part in before) && !(part in now));
}
