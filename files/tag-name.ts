// The name of a column as the key of a tag.

/**
 * All but letters, digits, and what stands above, below and between letters, as in Thai and Hindi.
 */
const notOfNames = /[^\p{L}\p{N}\p{M}\u200c\u200d]+/gu;

/** Such a mark without its letter, as the second half of a sign like ⭐️. */
const loose = /(^|_)[\p{M}\u200c\u200d]+/gu;

/** What the API takes as a key, in UTF-16 units. */
const keyCharsMax = 128;
/** A member of such a name makes the API refuse a whole call. */
const forbidden = /^(?:constructor|prototype)$/;

/** A name as a tag's key: "First name" is `first_name`. */
export function snake(name: string): string {
  const key = name
    .normalize('NFC')
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1_$2')
    // In lower case it would keep its dot as a mark of its own, which nobody types.
    .replaceAll('\u0130', 'i')
    .toLowerCase()
    .replace(notOfNames, '_')
    .replace(loose, '$1')
    .replace(/^_+|_+$/g, '')
    .normalize('NFC');
  return cut(forbidden.test(key) ? `${key}_tag` : key);
}

/** Of a long one, such as a question of a form, the words that fit. */
function cut(key: string): string {
  if (key.length <= keyCharsMax) return key;
  const end = key.lastIndexOf('_', keyCharsMax);
  return key.slice(0, end > 0 ? end : keyCharsMax).replace(/[\ud800-\udbff]$/, '');
}
