// Cuts a batch that one call would not carry into several, and joins their results in the order of
// the recipients. All parts have the same idempotency key: each recipient's own is made from it.

/** What the API accepts in one call. */
const recipientsMax = 1_000;
const bytesMax = 1_048_576;
/** For brackets, commas and the names of members. */
const roomBytes = 1_024;

/** Bodies of at most 1,000 entries and 1 MiB each, with the same other members. */
export function partsOf(
  body: Readonly<Record<string, unknown>>,
  member: string,
): readonly object[] {
  const entries = body[member];
  if (!Array.isArray(entries) || entries.length === 0) return [body];
  const encoder = new TextEncoder();
  const bytesOf = (value: unknown) => encoder.encode(JSON.stringify(value) ?? 'null').length + 1;
  const shared = bytesOf({ ...body, [member]: [] }) + roomBytes;
  const parts: unknown[][] = [];
  let part: unknown[] = [];
  let bytes = shared;
  for (const [index, entry] of entries.entries()) {
    const more = bytesOf(entry);
    if (shared + more > bytesMax)
      throw new TypeError(
        `${member}[${index}]: expected at most 1 MiB with what all of them share`,
      );
    if (part.length === recipientsMax || (part.length > 0 && bytes + more > bytesMax)) {
      parts.push(part);
      part = [];
      bytes = shared;
    }
    part.push(entry);
    bytes += more;
  }
  parts.push(part);
  return parts.length === 1 ? [body] : parts.map((some) => ({ ...body, [member]: some }));
}

interface PartResult {
  readonly [member: string]: unknown;
}

/** Numbers add up, lists are joined, and each `index` counts from the start of the whole batch. */
export function joined(
  results: readonly PartResult[],
  sizes: readonly number[],
  member: string,
): PartResult {
  const [first = {}, ...rest] = results;
  if (rest.length === 0) return first;
  const whole: Record<string, unknown> = {};
  let from = 0;
  for (const [nth, result] of results.entries()) {
    for (const [name, value] of Object.entries(result)) {
      const known = whole[name];
      if (typeof value === 'number') whole[name] = (typeof known === 'number' ? known : 0) + value;
      else if (Array.isArray(value))
        whole[name] = added(Array.isArray(known) ? known : [], value.map(shifted(from, member)));
      else whole[name] ??= value;
    }
    from += sizes[nth] ?? 0;
  }
  return whole;
}

/** A warning about what all parts share is there once. */
function added(known: readonly unknown[], more: readonly unknown[]): readonly unknown[] {
  const texts = new Set(known.map((one) => JSON.stringify(one)));
  return [...known, ...more.filter((one) => !texts.has(JSON.stringify(one)))];
}

function shifted(from: number, member: string) {
  return (one: unknown): unknown => {
    if (typeof one !== 'object' || one === null) return one;
    const { index, field } = one as { readonly index?: unknown; readonly field?: unknown };
    if (typeof index === 'number') return { ...one, index: index + from };
    const inField = typeof field === 'string' && /^(\w+)\[(\d+)\](.*)$/s.exec(field);
    if (!inField || inField[1] !== member) return one;
    return { ...one, field: `${member}[${Number(inField[2]) + from}]${inField[3]}` };
  };
}
