// A column of the file: its name and first values, and what it becomes.

import type { Channel } from '../../api/generated.ts';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../frame/session-context.tsx';
import { type Choice, SelectBox } from '../../ui/choices.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import { count } from '../../ui/figure.tsx';
import { channelName } from '../../words/channels.ts';
import { snake, type TagType, type Target, typeOf } from './mapping.ts';
import { words } from './words.ts';

const shownValues = 3;
const devicePrefix = 'device:';
const types = Object.entries(words.types).map(
  ([value, label]) => ({ value, label }) as Choice<TagType>,
);

export function ColumnRow({
  name,
  values,
  target,
  onChange,
}: {
  readonly name: string;
  readonly values: readonly string[];
  readonly target: Target;
  readonly onChange: (target: Target) => void;
}) {
  const app = useApp();
  const fields = useRead('listFields', { path: { appId: app.id } });
  const seen = [...new Set(values.filter((value) => value.trim() !== ''))];
  const choose = (id: string) => {
    if (id.startsWith(devicePrefix))
      onChange({ kind: 'device', channel: id.slice(devicePrefix.length) as Channel });
    else if (id === 'tag') onChange({ kind: 'tag', key: snake(name), type: typeOf(seen) });
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
            onChange={(type) => onChange({ ...target, type })}
          />
        </div>
      )}
    </div>
  );
}
