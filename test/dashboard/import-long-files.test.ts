// Files of 200,000 lines in four encodings and with three separators: every value arrives as it
// stands, or the file is refused with a sentence before anything is sent.

import t from 'tap';
import { guessMapping } from '../../dashboard/screens/import/mapping.ts';
import { readingsOf } from '../../dashboard/screens/import/readings.ts';
import {
  pieceSize,
  type Surveyed,
  surveyFile,
} from '../../dashboard/screens/import/survey-file.ts';
import { toRow } from '../../dashboard/screens/import/to-row.ts';
import { type CsvForm, csvPieces } from '../../files/csv-pieces.ts';
import { decoded } from '../../files/decoded.ts';
import { encoded } from '../support/code-pages.ts';

t.setTimeout(240_000); // a machine that is busy with other tests

const count = 200_000;
const header = ['id', 'prénom', 'note', 'zip', 'amount'];
const thaiHeader = ['id', 'ชื่อ', 'note', 'zip', 'amount'];
const names = ['Hélène', 'Zoë Müller', 'José Muñoz', 'Ada', 'François Çelik'];
const thaiNames = ['สมชาย ใจดี', 'กรุงเทพ', 'เชียงใหม่', 'Ada', 'ที่อยู่'];

/** The values of a line; the one zip that has a zero in front is far from the beginning. */
function valuesOf(at: number, isThai: boolean): readonly string[] {
  return [
    `p-${at}`,
    (isThai ? thaiNames : names)[at % 5] ?? '',
    at % 97 === 0 ? `says "${at}",\r\nthen; more\tand |` : '',
    at === 199_000 ? '01240' : String(10_000 + (at % 80_000)),
    `${at}.5`,
  ];
}

function fileOf(separator: string, isThai: boolean): string {
  const cell = (value: string) =>
    /["\r\n,;\t|]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
  const lines = [(isThai ? thaiHeader : header).join(separator)];
  for (let at = 0; at < count; at++) lines.push(valuesOf(at, isThai).map(cell).join(separator));
  return `${lines.join('\r\n')}\r\n`;
}

/** Opens a file as the screen does, with the likeliest encoding where one has to be named. */
async function opened(file: Blob): Promise<Surveyed> {
  let found = await surveyFile(file, 'csv', undefined, () => undefined);
  if (found.kind === 'encoding') {
    const [likely] = readingsOf(found.sample.lines);
    found = await surveyFile(file, 'csv', likely?.encoding, () => undefined);
  }
  if (found.kind !== 'surveyed') throw new Error(JSON.stringify(found));
  return found.surveyed;
}

/** The first line that does not become what it says. */
async function firstWrong(file: Blob, survey: Surveyed, isThai: boolean): Promise<string> {
  const { encoding, header: read = [], first, facts } = survey;
  const mapping = guessMapping(read, first, facts);
  let at = 0;
  const texts = decoded(file.stream(), encoding);
  for await (const { rows } of csvPieces(texts, pieceSize, survey.form as CsvForm))
    for (const { cells } of rows) {
      const [id, name, note, zip, amount] = valuesOf(at, isThai);
      const made = toRow(cells, mapping, read);
      const tags = {
        [isThai ? 'ชื่อ' : 'prénom']: name,
        ...(note === '' ? {} : { note }),
        zip,
        amount: Number(amount),
      };
      const expected = JSON.stringify({ row: { externalUserId: id, tags } });
      if (JSON.stringify(made) !== expected) return `${expected} became ${JSON.stringify(made)}`;
      at++;
    }
  return at === count ? '' : `${at} lines`;
}

t.test('every value of a long file arrives as it stands', async (t) => {
  for (const separator of [',', ';', '\t'])
    for (const encoding of ['utf-8', 'utf-16le', 'windows-1252', 'windows-874']) {
      const isThai = encoding === 'windows-874';
      const file = new Blob([Uint8Array.from(encoded(fileOf(separator, isThai), encoding))]);
      const survey = await opened(file);
      t.equal(survey.encoding, encoding);
      t.equal(survey.form?.separator, separator);
      t.equal(survey.lines, count);
      t.equal(await firstWrong(file, survey, isThai), '', `${encoding} ${separator}`);
    }
});

t.test('damage in one of 200,000 lines refuses the file with a sentence', async (t) => {
  const text = fileOf(';', false);
  const bytes = encoded(text, 'utf-8');
  const cutLetter = bytes.lastIndexOf(0xc3);
  t.match(await surveyFile(new Blob([bytes.slice(0, cutLetter + 1)]), 'csv', undefined, () => 0), {
    kind: 'encoding',
    sample: { other: 1 },
  });
  for (const id of ['p-199001', 'p-199999'])
    t.match(
      await surveyFile(new Blob([text.replace(`${id};`, `"${id};`)]), 'csv', undefined, () => 0),
      {
        kind: 'problem',
        problem: `line ${Number(id.slice(2)) + 1} after the header has an opening quotation mark without a closing one.`,
      },
    );
});
