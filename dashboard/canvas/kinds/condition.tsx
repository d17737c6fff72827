// A step where people part: those who match a filter go one way, all others the other.

import type { Filter } from '../../api/generated.ts';
import { type FilterCount, useFilterCount } from '../../filter/count.ts';
import { FilterForm } from '../../filter/editor.tsx';
import { filterSentence, isConditionComplete } from '../../filter/kinds.ts';
import { completed } from '../../filter/model.ts';
import { words as filterWords } from '../../filter/words.ts';
import { count } from '../../ui/figure.tsx';
import type { FormProps, StepKind } from '../kind.ts';
import { type ConditionStep, isCondition } from '../model.ts';
import { words } from '../words.ts';

const text = words.condition;

export const condition: StepKind<ConditionStep> = {
  id: 'condition',
  label: text.label,
  text: text.text,
  icon: 'split',
  name: text.name,
  owns: isCondition,
  blank: (id) => ({ id, type: 'condition', then: [], else: [] }),
  isComplete: ({ filter }) =>
    filter !== undefined && completed(filter, isConditionComplete).left.length === 0,
  sentence: ({ filter }) => (filter === undefined ? text.unset : filterSentence(filter)),
  Form,
};

function Form({ step, onChange, issues, errorOf }: FormProps<ConditionStep>) {
  const { filter } = step;
  const counted = useFilterCount(filter);
  const change = (next: Filter | undefined) => {
    const { filter: _before, ...rest } = step;
    onChange(next === undefined ? rest : { ...rest, filter: next });
  };
  const whole = errorOf('');
  return (
    <section className="stack-tight condition-form">
      <h3>{text.filter}</h3>
      <FilterForm value={filter} onChange={change} errors={issues} counted={counted} />
      {whole !== undefined && (
        <p className="field-error" role="alert">
          {whole}
        </p>
      )}
      {filter !== undefined && <HoldsNow counted={counted} />}
      <p className="field-hint">{text.filterHint}</p>
    </section>
  );
}

function HoldsNow({ counted }: { readonly counted: FilterCount }) {
  const { count: holds, total, unfinished } = counted;
  if (holds === undefined || total === undefined || unfinished.length > 0) return null;
  return (
    <p className="soft" role="status">
      {text.now} <strong>{count(holds)}</strong> {filterWords.of(filterWords.people(total))}
    </p>
  );
}
