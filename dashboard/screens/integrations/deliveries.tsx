// The ledger of deliveries: filters in the address, one sent again, or all that match.

import type { ArgumentsOf } from '../../api/client.ts';
import type { WebhookDelivery } from '../../api/generated.ts';
import { lateEveryMs, pollEveryMs, useTopics } from '../../api/live.ts';
import { useList, useRead } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { actionsOn } from '../../kit/action.ts';
import { ActionButton } from '../../kit/action-view.tsx';
import { FilterParam, given } from '../../kit/params.tsx';
import { appPath, useQueryParam } from '../../ui/address.ts';
import { Badge } from '../../ui/badge.tsx';
import type { Choice } from '../../ui/choices.tsx';
import { Empty } from '../../ui/note.tsx';
import { useCursorRows } from '../../ui/rows.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { counted } from '../../words/counted.ts';
import type { Tone } from '../../words/tone.ts';
import { whyOf } from './test-button.tsx';
import { words } from './words.ts';

const text = words.deliveries;
type Query = ArgumentsOf<'listWebhookDeliveries'>['query'];
type Status = WebhookDelivery['status'];

const statuses = Object.entries(text.states).map(([value, label]) => ({ value, label }));
const events = [...Object.keys(words.kinds), 'webhook.test'].map((value) => ({
  value,
  label: value,
}));

export const statusTones: Readonly<Record<Status, Tone>> = {
  pending: 'notice',
  retrying: 'notice',
  delivered: 'good',
  stopped: 'off',
  dead: 'bad',
};

export function Deliveries() {
  const app = useApp();
  const [status] = useQueryParam('state');
  const [event] = useQueryParam('event');
  const [to] = useQueryParam('to');
  const mayList = useRefusal('admin') === undefined;
  const connected = useRead(
    'listIntegrations',
    { path: { appId: app.id }, query: { limit: 100 } },
    { enabled: mayList },
  );
  const filter = given({ status, event, type: to }) as Query;
  const isServed = useTopics(app.id, ['webhook-deliveries', ...(mayList ? ['integrations'] : [])]);
  // Without the right to follow how many wait, an older delivery may end and nothing says so.
  const servedEveryMs = !mayList && lateEveryMs;
  const rows = useCursorRows<WebhookDelivery>(
    useList(
      'listWebhookDeliveries',
      { path: { appId: app.id }, query: filter },
      { everyMs: isServed ? servedEveryMs : pollEveryMs },
    ),
  );
  const targets = (connected.data?.items ?? [])
    .filter(({ type }) => type !== 'cdp')
    .map(({ type }) => ({ value: type as string, label: type as string }));
  if (to !== undefined && !targets.some(({ value }) => value === to))
    targets.push({ value: to, label: to });
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <>
      <div className="row filters">
        <Filter name="state" label={text.filterStatus} choices={statuses} />
        <Filter name="event" label={text.filterEvent} choices={events} />
        <Filter name="to" label={text.filterTo} choices={targets} />
        <span className="grow" />
        {(status === 'dead' || status === 'stopped') && (
          <ActionButton
            action={retryAll}
            thing={{ ...filter, status }}
            isDisabled={rows.total === 0}
          />
        )}
      </div>
      <Table
        label={words.tabs.deliveries}
        counted={counted.deliveries}
        rows={rows}
        columns={columns}
        keyOf={(one) => one.id}
        to={(one) => appPath(app.id, 'integrations', 'deliveries', one.id)}
        empty={
          <Empty icon="integrations" title={text.empty}>
            {isFiltered ? text.emptyFilter : text.emptyText}
          </Empty>
        }
      />
    </>
  );
}

const columns: readonly Column<WebhookDelivery>[] = [
  { id: 'event', head: text.event, narrow: 'title', cell: (one) => one.event },
  {
    id: 'status',
    head: text.status,
    width: '120px',
    narrow: 'side',
    cell: (one) => <Badge tone={statusTones[one.status]}>{text.states[one.status]}</Badge>,
  },
  { id: 'to', head: text.to, width: '140px', cell: (one) => one.type },
  {
    id: 'attempts',
    head: text.attempts,
    width: '80px',
    isNumber: true,
    cell: (one) => one.attempts,
  },
  {
    id: 'answer',
    head: text.answer,
    narrow: 'sub',
    cell: (one) =>
      one.lastError === null ? (one.lastStatus ?? '–') : whyOf(one.lastError, one.lastStatus),
  },
  { id: 'next', head: text.next, width: '130px', cell: (one) => <Time at={one.nextRetryAt} /> },
  {
    id: 'at',
    head: text.at,
    width: '120px',
    narrow: 'side-sub',
    cell: (one) => <Time at={one.createdAt} />,
  },
];

function Filter({
  name,
  label,
  choices,
}: {
  readonly name: string;
  readonly label: string;
  readonly choices: readonly Choice[];
}) {
  return (
    <FilterParam name={name} label={label} none={text.any(label.toLowerCase())} choices={choices} />
  );
}

type Ended = Query & { readonly status: 'dead' | 'stopped' };

const retryAll = actionsOn<Ended>()({
  id: 'retry',
  label: text.retryAll,
  icon: 'refresh',
  needs: 'write',
  confirm: ({ status }) => ({
    title: text.retryAllTitle,
    text: text.retryAllText(text.states[status]),
  }),
  operation: 'retryWebhookDeliveries',
  args: (body, appId) => ({ path: { appId }, body }),
  done: (_, { retried }) => text.retried(retried),
});
