// A column of the file: its name and first values, and what it becomes.

import type { ColumnFacts, Found } from '../../../files/column-facts.ts';
import { snake } from '../../../files/tag-name.ts';
import type { TagType } from '../../../files/typed-value.ts';
import type { Channel } from '../../api/generated.ts';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { type Choice, SelectBox } from '../../ui/choices.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import { count } from '../../ui/figure.tsx';
import { channelName } from '../../words/channels.ts';
import { tagOf } from './mapping.ts';
import type { Target } from './target.ts';
import { words } from './words.ts';

const shownValues = 3;
const devicePrefix = 'device:';
const types = Object.entries(words.types).map(
  ([value, label]) => ({ value, label }) as Choice<TagType>,
);

export function ColumnRow({
  name,
  values,
  facts,
  target,
  onChange,
}: {
  readonly name: string;
  readonly values: readonly string[];
  readonly facts: ColumnFacts;
  readonly target: Target;
  readonly onChange: (target: Target) => void;
}) {
  const app = useApp();
  const fields = useRead('listFields', { path: { appId: app.id } });
  const seen = [...new Set(values.filter((value) => value.trim() !== ''))];
  const choose = (id: string) => {
    if (id.startsWith(devicePrefix))
      onChange({ kind: 'device', channel: id.slice(devicePrefix.length) as Channel });
    else if (id === 'tag') onChange(tagOf(snake(name), facts));
    else onChange({ kind: id } as Target);
  };
  return (
    <div className="import-column" role="group" aria-label={name}>
      <div className="import-name">
        <strong>{name}</strong>
        <span className="soft">{seen.slice(0, shownValues).join(' · ')}</span>
      </div>
      <SelectBox
        label={words.targetOf(name)}
        value={target.kind === 'device' ? `${devicePrefix}${target.channel}` : target.kind}
        choices={[
          { value: 'skip', label: words.targets.skip },
          { value: 'externalId', label: words.targets.externalId },
          { value: 'tag', label: words.targets.tag },
          ...(fields.data?.channels ?? [])
            .filter(({ channel }) => channel !== 'webpush')
            .map(({ channel }) => ({
              value: `${devicePrefix}${channel}`,
              label: words.targets.device(channelName(channel)),
            })),
          { value: 'timezone', label: words.targets.timezone },
          { value: 'preferences', label: words.targets.preferences },
          { value: 'tagsJson', label: words.targets.tagsJson },
          { value: 'devicesJson', label: words.targets.devicesJson },
        ]}
        onChange={choose}
      />
      {target.kind === 'tag' && (
        <TagOf name={name} facts={facts} target={target} onChange={onChange} />
      )}
    </div>
  );
}

/** The tag's name and type, and what the type means for the values of the column. */
function TagOf({
  name,
  facts,
  target,
  onChange,
}: {
  readonly name: string;
  readonly facts: ColumnFacts;
  readonly target: Extract<Target, { readonly kind: 'tag' }>;
  readonly onChange: (target: Target) => void;
}) {
  const app = useApp();
  const fields = useRead('listFields', { path: { appId: app.id } });
  const warning = warningOf(target.type, facts);
  return (
    <div className="import-tag">
      <Combobox
        label={words.keyOf(name)}
        value={target.key}
        onChange={(key) => onChange({ ...target, key })}
        suggestions={(fields.data?.tags ?? []).map(({ key, people }) => ({
          value: key,
          hint: count(people),
        }))}
      />
      <SelectBox<TagType>
        isAuto
        label={words.typeOf(name)}
        value={target.type}
        choices={types}
        onChange={(type) => onChange(tagOf(target.key, facts, type))}
      />
      {warning !== undefined && <p className="soft">{warning}</p>}
    </div>
  );
}

/** That a column looks like numbers and is none, or has values that are not of the chosen type. */
function warningOf(type: TagType, facts: ColumnFacts): string | undefined {
  const { values, exactNumbers, numbers, yesNos, notExact } = facts;
  if (type === 'string' && exactNumbers * 2 >= values && notExact !== undefined)
    return words.keptAsText(notExact.value, notExact.line);
  const wrong = (right: number, found: Found | undefined) =>
    found && words.notOfType(values - right, found.value, found.line);
  if (type === 'number') return wrong(numbers, facts.notNumber);
  return type === 'boolean' ? wrong(yesNos, facts.notYesNo) : undefined;
}
