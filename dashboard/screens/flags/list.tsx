// The table of flags; each can be switched on and off where it stands.

import { useLocation } from 'wouter';
import type { Flag } from '../../api/generated.ts';
import { useAct, useList } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { filterSentence } from '../../filter/kinds.ts';
import { appPath, useQueryParam } from '../../ui/address.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Toggle } from '../../ui/choices.tsx';
import { SearchBox } from '../../ui/input.tsx';
import { useShortcuts } from '../../ui/keys.ts';
import { Empty } from '../../ui/note.tsx';
import { useCursorRows } from '../../ui/rows.ts';
import { ScreenHead } from '../../ui/screen.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { tellDone, tellError } from '../../ui/toast.tsx';
import { counted } from '../../words/counted.ts';
import { createCurl } from './curl.ts';
import { words } from './words.ts';

export function FlagList() {
  const app = useApp();
  const [, go] = useLocation();
  const [q, setQ] = useQueryParam('q');
  const refused = useRefusal('write');
  const list = useList('listFlags', {
    path: { appId: app.id },
    query: { order: 'newest', ...(q === undefined ? {} : { q }) },
  });
  const rows = useCursorRows<Flag>(list);
  const create = appPath(app.id, 'flags', 'new');
  useShortcuts([{ keys: 'c', label: words.create, run: () => refused ?? go(create) }]);
  const columns: readonly Column<Flag>[] = [
    {
      id: 'key',
      head: words.columns.key,
      width: 'minmax(0, 2fr)',
      narrow: 'title',
      cell: (one) => <code className="ellipsis">{one.key}</code>,
    },
    {
      id: 'on',
      head: words.columns.on,
      width: '80px',
      narrow: 'side',
      cell: (one) => <FlagSwitch flag={one} isRefused={refused !== undefined} />,
    },
    {
      id: 'share',
      head: words.columns.share,
      width: '90px',
      isNumber: true,
      cell: (one) => `${one.rolloutPercent}%`,
    },
    {
      id: 'who',
      head: words.columns.who,
      narrow: 'sub',
      cell: (one) => (
        <span className="soft">
          {one.filter === null ? words.everybody : filterSentence(one.filter)}
        </span>
      ),
    },
    {
      id: 'variants',
      head: words.columns.variants,
      cell: (one) => (
        <span className="soft ellipsis">{one.variants?.map(({ key }) => key).join(', ')}</span>
      ),
    },
    {
      id: 'changed',
      head: words.columns.changed,
      width: '130px',
      cell: (one) => <Time at={one.updatedAt} />,
    },
  ];
  return (
    <>
      <ScreenHead
        title={words.title}
        actions={
          <Button kind="primary" icon="plus" refused={refused} onClick={() => go(create)}>
            {words.create}
          </Button>
        }
      />
      <div className="screen-bar">
        <SearchBox label={words.search} value={q ?? ''} onChange={setQ} />
      </div>
      <div className="screen-fill">
        <Table
          label={words.title}
          counted={counted.flags}
          rows={rows}
          columns={columns}
          keyOf={(one) => one.key}
          to={(one) => appPath(app.id, 'flags', one.key)}
          empty={
            q === undefined ? (
              <Empty
                icon="flags"
                title={words.empty}
                action={
                  <ButtonLink kind="primary" icon="plus" to={create}>
                    {words.create}
                  </ButtonLink>
                }
                curl={createCurl(app.id)}
              >
                {words.emptyText}
              </Empty>
            ) : (
              <Empty icon="search" title={words.emptySearch} />
            )
          }
        />
      </div>
    </>
  );
}

function FlagSwitch({ flag, isRefused }: { readonly flag: Flag; readonly isRefused: boolean }) {
  const app = useApp();
  const act = useAct('updateFlag');
  const { key } = flag;
  const isOn = act.isPending ? act.variables.body.enabled === true : flag.enabled;
  const set = (enabled: boolean) =>
    act.mutate(
      { path: { appId: app.id, key }, body: { enabled }, base: flag },
      {
        onSuccess: () =>
          tellDone(enabled ? words.turnedOn(key) : words.turnedOff(key), {
            label: words.back,
            run: () => set(!enabled),
          }),
        onError: (error) => tellError(error.message),
      },
    );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keeps a click on the switch from the row
    // biome-ignore lint/a11y/useKeyWithClickEvents: the switch has the keys
    <span onClick={(event) => event.stopPropagation()}>
      <Toggle label={words.toggle(key)} isOn={isOn} isDisabled={isRefused} onChange={set} />
    </span>
  );
}
