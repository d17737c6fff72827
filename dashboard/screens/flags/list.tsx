// The table of flags; each can be switched on and off where it stands.

import type { Flag } from '../../api/generated.ts';
import { useAct, useList } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { filterSentence } from '../../filter/kinds.ts';
import { CreateLink, ListScreen } from '../../kit/list-screen.tsx';
import { useSearchQuery } from '../../kit/params.tsx';
import { Toggle } from '../../ui/choices.tsx';
import type { Column } from '../../ui/table.tsx';
import { keyPlace } from '../../ui/thing-key.ts';
import { Time } from '../../ui/time.tsx';
import { tellDone, tellError } from '../../ui/toast.tsx';
import { counted } from '../../words/counted.ts';
import { words } from './words.ts';

const create = <CreateLink label={words.create} to={['flags', 'new']} />;

export function FlagList() {
  const app = useApp();
  return (
    <ListScreen
      label={words.title}
      actions={create}
      search={words.search}
      list={useList('listFlags', { path: { appId: app.id }, query: useSearchQuery() })}
      counted={counted.flags}
      columns={columns}
      to={({ key }) => keyPlace('flags', key)}
      noneFound={{ title: words.emptySearch }}
      empty={{
        icon: 'flags',
        title: words.empty,
        text: words.emptyText,
        action: create,
        curl: {
          path: 'flags',
          body: '{"key": "new-checkout", "enabled": true, "rolloutPercent": 25}',
          lines: 3,
        },
      }}
    />
  );
}

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
    cell: (one) => <FlagSwitch flag={one} />,
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
function FlagSwitch({ flag }: { readonly flag: Flag }) {
  const app = useApp();
  const refused = useRefusal('write');
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
      <Toggle label={words.toggle(key)} isOn={isOn} refused={refused} onChange={set} />
    </span>
  );
}
