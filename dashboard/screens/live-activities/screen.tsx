// Live Activities: what stands on people's lock screens; update and end.

import type { LiveActivity } from '../../api/generated.ts';
import { pollEveryMs, useTopic } from '../../api/live.ts';
import { useList } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { ListScreen } from '../../kit/list-screen.tsx';
import { FilterParam, given } from '../../kit/params.tsx';
import { NameOf } from '../../person/person-name.tsx';
import { appPath, useQueryParam, withParams } from '../../ui/address.ts';
import { Badge } from '../../ui/badge.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { counted } from '../../words/counted.ts';
import { OneActivity } from './one-activity.tsx';
import { words } from './words.ts';

const tones = { active: 'good', ended: 'off', closed: 'off' } as const;
const states = ['active', 'ended', 'closed'] as const;

export default function LiveActivities() {
  const app = useApp();
  const [state] = useQueryParam('state');
  const [openId, setOpen] = useQueryParam('activity');
  const isServed = useTopic(app.id, 'live-activities');
  const list = useList(
    'listLiveActivities',
    {
      path: { appId: app.id },
      query: given({ state: state as LiveActivity['state'] | undefined }),
    },
    { everyMs: !isServed && pollEveryMs },
  );
  const open = list.items?.find(({ id }) => id === openId);
  return (
    <>
      <ListScreen
        label={words.title}
        bar={
          <FilterParam
            name="state"
            label={words.state}
            none={words.anyState}
            choices={states.map((value) => ({ value, label: words.states[value] }))}
          />
        }
        list={list}
        counted={counted.liveActivities}
        columns={columns}
        to={({ id }) => withParams(appPath(app.id, 'live-activities'), { state, activity: id })}
        empty={{ icon: 'live', title: words.empty, text: words.emptyText }}
      />
      <Dialog
        title={open?.activityType ?? words.title}
        kind="drawer"
        isOpen={open !== undefined}
        onClose={() => setOpen(undefined)}
      >
        {open !== undefined && <OneActivity key={open.id} activity={open} />}
      </Dialog>
    </>
  );
}

const columns: readonly Column<LiveActivity>[] = [
  { id: 'type', head: words.type, cell: ({ activityType }) => activityType, narrow: 'title' },
  {
    id: 'person',
    head: words.person,
    cell: (one) => <NameOf {...one} />,
    narrow: 'sub',
  },
  {
    id: 'state',
    head: words.state,
    width: '110px',
    cell: ({ state }) => <Badge tone={tones[state]}>{words.states[state]}</Badge>,
    narrow: 'side',
  },
  {
    id: 'created',
    head: words.created,
    width: '110px',
    cell: (one) => <Time at={one.createdAt} />,
  },
  {
    id: 'updated',
    head: words.updated,
    width: '110px',
    cell: (one) => <Time at={one.updatedAt} />,
    narrow: 'side-sub',
  },
];
