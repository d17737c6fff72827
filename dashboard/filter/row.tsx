// A condition: its kind, what the kind asks for, its counts, and what is wrong with it.

import { IconButton } from '../ui/button.tsx';
import { SelectBox } from '../ui/choices.tsx';
import { classNames } from '../ui/class-names.ts';
import { Icon } from '../ui/icon.tsx';
import type { GroupTools } from './group-tools.ts';
import { conditionKindOf, conditionSentence, kinds } from './kinds.ts';
import type { Condition, Place } from './model.ts';
import { PartNumbers } from './part-numbers.tsx';
import { words } from './words.ts';

export function ConditionRow({
  condition,
  path,
  place,
  tools,
}: {
  readonly condition: Condition;
  readonly path: string;
  readonly place: Place;
  readonly tools: GroupTools;
}) {
  const kind = conditionKindOf(condition);
  const part = tools.counts?.get(path);
  const errors = tools.errors.filter(
    ({ field }) => field === path || field.startsWith(`${path}.`) || field.startsWith(`${path}[`),
  );
  return (
    <div
      className={classNames('filter-row', errors.length > 0 && 'bad')}
      role="group"
      aria-label={words.condition(conditionSentence(condition))}
      data-path={path}
    >
      <div className="filter-parts">
        <SelectBox
          isAuto
          label={words.kind}
          value={kind?.id}
          placeholder={words.kind}
          choices={kinds.map(({ id, label }) => ({ value: id, label }))}
          onChange={(id) => {
            const next = kinds.find((one) => one.id === id);
            if (next !== undefined && next !== kind) tools.change(place, next.blank());
          }}
        />
        {kind === undefined ? (
          <>
            <code className="ellipsis">{JSON.stringify(condition)}</code>
            <span className="filter-hint">{words.foreign}</span>
          </>
        ) : (
          <kind.Edit
            condition={condition}
            fields={tools.fields}
            onChange={(next) => tools.change(place, next)}
            errorOf={(member) =>
              errors.find(({ field }) => field.startsWith(`${path}.${member}`))?.error
            }
          />
        )}
      </div>
      <div className="filter-end">
        {part !== undefined && <PartNumbers part={part} />}
        <IconButton
          label={words.remove}
          icon="close"
          size="small"
          onClick={() => tools.remove(place)}
        />
      </div>
      {errors.map(({ field, error }) => (
        <p key={field} className="field-error" role="alert">
          <Icon name="warning" />
          {error}
        </p>
      ))}
    </div>
  );
}
