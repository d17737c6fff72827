// The step for a file that is not UTF-8: its lines in the likely encodings, of which a person
// chooses the one that reads right.

import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { RadioCards, SelectBox } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { Note } from '../../ui/note.tsx';
import type { Encoding, Reading } from './readings.ts';
import type { SampleLines } from './sample-lines.ts';
import { words } from './words.ts';

const shownReadings = 4;
const shownLines = 3;
const shownChars = 90;

export function ChooseEncoding({
  file,
  sample,
  readings,
  problem,
  onChoose,
  onOther,
}: {
  readonly file: File;
  readonly sample: SampleLines;
  /** The likely ones first. */
  readonly readings: readonly Reading[];
  /** Of the encoding that was chosen before. */
  readonly problem: string | undefined;
  readonly onChoose: (encoding: Encoding) => void;
  readonly onOther: () => void;
}) {
  const [chosen, choose] = useState(readings[0]?.encoding);
  const shown = readings.filter(({ encoding }, at) => at < shownReadings || encoding === chosen);
  return (
    <>
      <div className="row-between">
        <div className="grow">
          <h2>{words.encodingTitle}</h2>
          <p className="soft">{words.encodingText(file.name)}</p>
        </div>
        <div className="row">
          <Button onClick={onOther}>{words.other}</Button>
          <Button
            kind="primary"
            isDisabled={chosen === undefined}
            onClick={() => chosen !== undefined && onChoose(chosen)}
          >
            {words.readSo}
          </Button>
        </div>
      </div>
      {problem !== undefined && <Note tone="bad">{words.unreadable(problem)}</Note>}
      {sample.utf8 > 0 && (
        <Note tone="notice">{words.mixed(sample.utf8, sample.other, sample.firstOther)}</Note>
      )}
      <RadioCards
        label={words.encodings}
        value={chosen}
        choices={shown.map(({ encoding, lines }) => ({
          value: encoding,
          label: words.encodingOf(encoding),
          hint: shownOf(lines, encoding, sample.utf8Line),
        }))}
        onChange={choose}
      />
      <Field label={words.otherEncoding}>
        <SelectBox
          value={chosen}
          placeholder={words.otherEncodings}
          choices={readings.map(({ encoding }) => ({
            value: encoding,
            label: words.encodingOf(encoding),
          }))}
          onChange={choose}
        />
      </Field>
    </>
  );
}

/**
 * The lines that differ from reading to reading, from the first letter that does; before them one
 * in UTF-8 of a file that mixes encodings.
 */
function shownOf(
  lines: readonly string[],
  encoding: Encoding,
  utf8Line: Uint8Array | undefined,
): string {
  const wrong = utf8Line === undefined ? [] : [new TextDecoder(encoding).decode(utf8Line).trim()];
  return [...wrong, ...lines]
    .filter((line) => /[^\0-\x7f]/.test(line))
    .slice(0, shownLines)
    .map((line) => {
      const from = Math.max(0, line.search(/[^\0-\x7f]/) - shownChars / 3);
      return line.slice(from, from + shownChars);
    })
    .join(' · ');
}
