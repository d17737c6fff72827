// The filter as the API's JSON. Text that cannot be read stays, and the last readable filter too.

import { useEffect, useRef, useState } from 'react';
import type { Filter } from '../api/generated.ts';
import { Field } from '../ui/field.tsx';
import { TextArea } from '../ui/input.tsx';
import type { FilterIssue } from './count.ts';
import { filterText, parseFilterText } from './model.ts';
import { words } from './words.ts';

export function FilterJson({
  value,
  onChange,
  errors,
}: {
  readonly value: Filter | undefined;
  readonly onChange: (value: Filter | undefined) => void;
  readonly errors: readonly FilterIssue[];
}) {
  const [text, setText] = useState(() => filterText(value));
  const [problem, setProblem] = useState<string>();
  const sent = useRef(value);
  useEffect(() => {
    // It changed elsewhere, not by this text.
    if (sent.current === value) return;
    sent.current = value;
    setText(filterText(value));
    setProblem(undefined);
  }, [value]);
  const change = (next: string) => {
    setText(next);
    const parsed = parseFilterText(next);
    if ('problem' in parsed) return setProblem(parsed.problem);
    setProblem(undefined);
    sent.current = parsed.filter;
    onChange(parsed.filter);
  };
  const [first] = errors;
  const error =
    problem === undefined ? first && `${first.field}: ${first.error}` : words.notJson(problem);
  return (
    <div className="filter-json">
      <Field label={words.jsonLabel} hint={words.jsonHint} error={error}>
        <TextArea value={text} onChange={change} spellCheck={false} rows={10} />
      </Field>
    </div>
  );
}
