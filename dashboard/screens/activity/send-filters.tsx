// Which sends the list shows. Each filter stands in the address.

import { useLocation, useSearch } from 'wouter';
import { useList } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { FilterParam } from '../../kit/params.tsx';
import { appPath } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
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
      <FilterParam
        name="status"
        label={words.outcomeFilter}
        none={words.anyOutcome}
        choices={outcomes}
      />
      <FilterParam
        name="channel"
        label={words.channelFilter}
        none={words.anyChannel}
        choices={channels}
      />
      <FilterParam
        name="template"
        label={words.templateFilter}
        none={words.anyTemplate}
        choices={templates}
      />
      <FilterParam name="since" label={words.sinceFilter} none={words.anyTime} choices={sinces} />
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
