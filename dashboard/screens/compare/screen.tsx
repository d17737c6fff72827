// Up to ten campaigns side by side: numbers and shares of the people sent to, a mark where one is
// shown to be the best, and people over the hours since each send.

import { useMemo } from 'react';
import { Link } from 'wouter';
import { useLiveRead } from '../../api/live.ts';
import { useApp } from '../../api/session-context.tsx';
import { appPath, useQueryParam } from '../../ui/address.ts';
import { Button, ButtonLink, IconButton } from '../../ui/button.tsx';
import { Answer, Empty, Note } from '../../ui/note.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { ScreenHead } from '../../ui/screen.tsx';
import { AddCampaign } from './add.tsx';
import { CompareChart } from './chart.tsx';
import { compareRows, csvOf, namesApart } from './model.ts';
import { CompareTable } from './table.tsx';
import { words } from './words.ts';

const idsMax = 10;

export default function CompareScreen() {
  const app = useApp();
  const [text, setText] = useQueryParam('ids');
  const all = useMemo(
    () => [...new Set((text ?? '').split(',').filter((id) => id !== ''))],
    [text],
  );
  const ids = all.slice(0, idsMax);
  const set = (next: readonly string[]) => setText(next.join(','));
  const stats = useLiveRead(
    app.id,
    'compareCampaigns',
    { query: { ids: ids.join(',') } },
    {
      enabled: ids.length > 0,
      keepPrevious: true,
      topics: ids.map((id) => `campaign:${id}`),
      isLive: ({ items }) => items.some(({ state }) => state === 'sending'),
    },
  );
  const items = stats.data?.items ?? [];
  const names = namesApart(items.map(({ name }) => name));
  const rows = stats.data === undefined ? [] : compareRows(stats.data);
  return (
    <>
      <ScreenHead
        title={words.title}
        crumb={{ to: appPath(app.id, 'campaigns'), label: words.campaigns }}
        actions={
          items.length > 1 && (
            <Button icon="download" onClick={() => saveFile('campaigns.csv', csvOf(names, rows))}>
              {words.csv}
            </Button>
          )
        }
      />
      <div className="screen-body">
        <div className="stack">
          {all.length > idsMax && <Note tone="notice">{words.tooMany}</Note>}
          {ids.length < idsMax && ids.length > 0 && (
            <AddCampaign without={ids} onAdd={(id) => set([...ids, id])} />
          )}
          {ids.length === 0 ? (
            <NoCampaigns />
          ) : (
            <Answer result={stats} rows={12}>
              {() => (
                <>
                  {items.length < 2 && <Note>{words.few}</Note>}
                  <CompareTable
                    rows={rows}
                    heads={items.map(({ campaignId }, at) => (
                      <Head
                        key={campaignId}
                        id={campaignId}
                        name={names[at] ?? ''}
                        onRemove={() => set(ids.filter((id) => id !== campaignId))}
                      />
                    ))}
                  />
                  <CompareChart stats={items} names={names} />
                </>
              )}
            </Answer>
          )}
        </div>
      </div>
    </>
  );
}

function NoCampaigns() {
  const app = useApp();
  return (
    <Empty
      icon="insights"
      title={words.few}
      action={
        <ButtonLink kind="primary" to={appPath(app.id, 'campaigns')}>
          {words.choose}
        </ButtonLink>
      }
    >
      {words.fewText}
    </Empty>
  );
}

function Head({
  id,
  name,
  onRemove,
}: {
  readonly id: string;
  readonly name: string;
  readonly onRemove: () => void;
}) {
  const app = useApp();
  return (
    <span className="compare-head">
      <Link to={appPath(app.id, 'campaigns', id)}>{name}</Link>
      <IconButton label={words.remove(name)} icon="close" size="small" onClick={onRemove} />
    </span>
  );
}
