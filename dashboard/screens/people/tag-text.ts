// A tag's value as one line, and what was typed as a tag's value.

type TagValue = string | number | boolean | readonly string[];

export function tagText(value: TagValue | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'object' ? value.join(', ') : String(value);
}

/**
 * What was typed in the place of a value keeps that value's type as long as it can be read as it;
 * else it is a text. A new value is a number or a yes/no only when it is written like one.
 */
export function tagValueOf(text: string, before: TagValue | undefined): TagValue {
  const trimmed = text.trim();
  if (typeof before === 'object')
    return trimmed
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '');
  if (typeof before === 'string') return trimmed;
  if (trimmed === 'true' || trimmed === 'false') return trimmed === 'true';
  return trimmed !== '' && String(Number(trimmed)) === trimmed ? Number(trimmed) : trimmed;
}
