// A cell as the value of a tag. Nothing is changed in silence: a number is what JSON writes with
// the same digits, so 01240, 0x1F, 1e5, +5, 1,5 and what JavaScript cannot hold exactly are none.

export type TagType = 'string' | 'number' | 'boolean' | 'list';

/**
 * A cell without blanks around it, without what an export puts before a formula, and without the
 * formula that keeps Excel from reading a text as a number: ="00123".
 */
export function cellValue(cell: string): string {
  if (!cell.startsWith("'")) return withoutGuard(cell.trim());
  return (/^'+[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(cell) ? cell.slice(1) : cell).trim();
}

/** ="00123" as 00123; anything else as it is. */
export function withoutGuard(cell: string): string {
  if (!cell.startsWith('="')) return cell;
  return /^="((?:[^"]|"")*)"$/.exec(cell)?.[1]?.replaceAll('""', '"').trim() ?? cell;
}

const decimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** JSON writes the number with the same letters. */
export function isExactNumber(text: string): boolean {
  return decimal.test(text) && String(Number(text)) === text;
}

/** The same, or with zeros at the end that change no value: 9.90, 12.000. */
export function isNumber(text: string): boolean {
  if (!decimal.test(text)) return false;
  return isExactNumber(text.includes('.') ? text.replace(/\.?0+$/, '') : text);
}

export function isYesNo(text: string): boolean {
  return /^(?:true|false|yes|no)$/i.test(text);
}

/** Short items with a bar or a semicolon between them; what is longer is a sentence. */
export function isList(text: string): boolean {
  return /^[^|;\r\n]{1,40}(?:[|;][^|;\r\n]{1,40})+$/.test(text);
}

/** `undefined` if the cell is no value of the type. */
export function tagValue(
  cell: string,
  type: TagType,
  splitAt: string | undefined,
): string | number | boolean | readonly string[] | undefined {
  if (type === 'list') return splitAt === undefined ? [cell] : parts(cell, splitAt);
  if (type === 'string') return cell;
  if (type === 'number') return isNumber(cell) ? Number(cell) : undefined;
  if (/^(?:true|yes|1)$/i.test(cell)) return true;
  return /^(?:false|no|0)$/i.test(cell) ? false : undefined;
}

/** The JSON value if it already has the type. */
export function jsonTagValue(
  value: unknown,
  type: TagType,
): number | boolean | readonly string[] | undefined {
  if (type === 'number' && typeof value === 'number') return value;
  if (type === 'boolean' && typeof value === 'boolean') return value;
  if (type !== 'list' || !Array.isArray(value)) return undefined;
  return value.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
}

export function parts(cell: string, splitAt: string | RegExp): string[] {
  return cell
    .split(splitAt)
    .map((one) => one.trim())
    .filter((one) => one !== '');
}
