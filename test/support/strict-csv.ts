// A CSV reader that forgives nothing (RFC 4180, section 2): CRLF after every record, quotes only
// around a whole cell and doubled inside, as many cells in a record as in the first. Written apart
// from the writer, to read it back.

/** The records of a text. Throws where the text is not RFC 4180. */
export function parseCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') {
      for (at++; ; at++) {
        if (at >= text.length) throw new Error('a quoted cell has no end');
        if (text[at] !== '"') cell += text[at];
        else if (text[at + 1] === '"') cell += text[at++];
        else break;
      }
      at++;
    } else {
      for (; at < text.length && text[at] !== ',' && text[at] !== '\r'; at++) {
        if (text[at] === '"' || text[at] === '\n') throw new Error(`bare ${text[at]} at ${at}`);
        cell += text[at];
      }
    }
    record.push(cell);
    if (text[at] === ',') {
      at++;
      if (at === text.length) throw new Error('the text ends after a comma');
      continue;
    }
    if (text.slice(at, at + 2) !== '\r\n') throw new Error(`no end of a record at ${at}`);
    at += 2;
    if (records.length > 0 && record.length !== records[0]?.length)
      throw new Error(`record ${records.length} has ${record.length} cells`);
    records.push(record);
    record = [];
  }
  return records;
}

/** A cell as it was before it was defused. */
export function undefused(cell: string): string {
  return /^'+[=+\-@\t\r\n＝＋－＠]/.test(cell) ? cell.slice(1) : cell;
}
