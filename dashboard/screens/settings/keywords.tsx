// An app's own words for STOP and START, one a line.

import { useState } from 'react';
import { Field } from '../../ui/field.tsx';
import { TextArea } from '../../ui/input.tsx';
import { Section } from '../../ui/section.tsx';
import type { PartProps } from './form.ts';
import { words } from './words.ts';

const text = words.keywords;

export function Keywords({ draft, change, errorOf }: PartProps) {
  const { keywords } = draft;
  const error = errorOf('keywords');
  const names = ['stop', 'start'] as const;
  return (
    <Section id="keywords" title={text.title} intro={text.intro}>
      {names.map((name) => (
        <Field key={name} label={text[name]} hint={text.hint} isOptional>
          <Lines
            lines={keywords[name]}
            onChange={(lines) => change({ keywords: { ...keywords, [name]: lines } })}
          />
        </Field>
      ))}
      {error !== undefined && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
    </Section>
  );
}

function Lines({
  lines,
  onChange,
}: {
  readonly lines: readonly string[];
  readonly onChange: (lines: readonly string[]) => void;
}) {
  const [typed, setTyped] = useState(lines.join('\n'));
  // What is typed may have empty lines; a discarded draft replaces it.
  const isOurs = linesOf(typed).join('\n') === lines.join('\n');
  return (
    <TextArea
      rows={3}
      spellCheck={false}
      value={isOurs ? typed : lines.join('\n')}
      onChange={(next) => {
        setTyped(next);
        onChange(linesOf(next));
      }}
    />
  );
}

function linesOf(typed: string): readonly string[] {
  return typed
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}
