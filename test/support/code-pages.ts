// Texts in code pages: the reverse of what `TextDecoder` reads. Node and browsers only write UTF-8.

const tables = new Map<string, ReadonlyMap<string, readonly number[]>>();

/** Throws for a letter that the encoding lacks. */
export function encoded(text: string, encoding: string): Uint8Array {
  if (encoding === 'utf-8') return new TextEncoder().encode(text);
  if (encoding === 'utf-16le') return new Uint8Array(Buffer.from(text, 'utf16le'));
  if (encoding === 'utf-16be') return new Uint8Array(Buffer.from(text, 'utf16le').swap16());
  const table = tables.get(encoding) ?? tableOf(encoding);
  tables.set(encoding, table);
  const bytes: number[] = [];
  for (const letter of text) {
    const known = table.get(letter);
    if (known === undefined) throw new Error(`${encoding} lacks ${letter}`);
    bytes.push(...known);
  }
  return Uint8Array.from(bytes);
}

function tableOf(encoding: string): ReadonlyMap<string, readonly number[]> {
  const table = new Map<string, readonly number[]>();
  const decoder = new TextDecoder(encoding, { fatal: true });
  const add = (...bytes: number[]) => {
    try {
      const letter = decoder.decode(Uint8Array.from(bytes));
      if ([...letter].length === 1 && !table.has(letter)) table.set(letter, bytes);
    } catch {
      // no letter has these bytes
    }
  };
  for (let one = 0; one < 256; one++) add(one);
  if (/^(?:shift_jis|euc-jp|gb18030|big5|euc-kr)$/.test(encoding))
    for (let one = 0x81; one < 0xff; one++)
      for (let other = 0x40; other < 0xff; other++) add(one, other);
  return table;
}
