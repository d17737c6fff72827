// Which sends the list shows. Each filter stands in the address.

import { useLocation, useSearch } from 'wouter';
import { useList } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { appPath, useQueryParam } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { type Choice, SelectBox } from '../../ui/choices.tsx';
import { channelNames } from '../../words/channels.ts';
import { outcomeWords } from '../../words/outcomes.ts';
import { periods } from './since.ts';
import { words } from './words.ts';

const outcomes = (['pending', 'delivered', 'bounced', 'failed', 'suppressed'] as const).map(
  (value) => ({ value, label: outcomeWords[value] }),
);

const channels = Object.entries(channelNames).map(([value, label]) => ({ value, label }));
const sinces = periods.map((value) => ({ value, label: words.periods[value] }));

export function SendFilters() {
  const app = useApp();
  const [, go] = useLocation();
  const search = new URLSearchParams(useSearch());
  const list = useList('listMessageTemplates', { path: { appId: app.id }, query: {} });
  const templates = (list.items ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const isFiltered = ['status', 'channel', 'template', 'since'].some((name) => search.has(name));
  return (
    <>
      <Filter name="status" label={words.outcomeFilter} all={words.anyOutcome} choices={outcomes} />
      <Filter
        name="channel"
        label={words.channelFilter}
        all={words.anyChannel}
        choices={channels}
      />
      <Filter
        name="template"
        label={words.templateFilter}
        all={words.anyTemplate}
        choices={templates}
      />
      <Filter name="since" label={words.sinceFilter} all={words.anyTime} choices={sinces} />
      {isFiltered && (
        <Button
          size="small"
          kind="quiet"
          icon="close"
          onClick={() => go(appPath(app.id, 'activity'), { replace: true })}
        >
          {words.clear}
        </Button>
      )}
    </>
  );
}

function Filter({
  name,
  label,
  all,
  choices,
}: {
  readonly name: string;
  readonly label: string;
  readonly all: string;
  readonly choices: readonly Choice[];
}) {
  const [value = '', setValue] = useQueryParam(name);
  return (
    <SelectBox
      isAuto
      label={label}
      choices={[{ value: '', label: all }, ...choices]}
      value={value}
      onChange={(next) => setValue(next || undefined)}
    />
  );
}
