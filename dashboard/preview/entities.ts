// The signs that HTML's names stand for. The table of all 2,231 names is larger than a screen, so
// it loads when a preview first needs it; until then the few that every text has are known.

type Decode = (escaped: string) => string;

const few: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  gt: '>',
  lt: '<',
  nbsp: '\u00a0',
  quot: '"',
};

let decode: Decode = (escaped) =>
  escaped.replace(/&(amp|apos|gt|lt|nbsp|quot);/g, (_all, name: string) => few[name] ?? '');

/** `&amp;`, `&eacute;` and `&#39;` as the signs that they stand for. */
export function unescaped(escaped: string): string {
  return decode(escaped);
}

/** All names are known after it. */
export async function loadEntities(): Promise<void> {
  const { decodeHTMLStrict } = await import('entities/decode');
  decode = decodeHTMLStrict;
}
