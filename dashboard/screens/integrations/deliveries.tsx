// The ledger of deliveries: filters in the address, one sent again, or all that match.

import { useState } from 'react';
import type { ArgumentsOf } from '../../api/client.ts';
import type { WebhookDelivery } from '../../api/generated.ts';
import { lateEveryMs, pollEveryMs, useTopics } from '../../api/live.ts';
import { useAct, useList, useRead } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { appPath, useQueryParam } from '../../ui/address.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectBox } from '../../ui/choices.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Empty } from '../../ui/note.tsx';
import { useCursorRows } from '../../ui/rows.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { tellDone } from '../../ui/toast.tsx';
import { counted } from '../../words/counted.ts';
import type { Tone } from '../../words/tone.ts';
import { whyOf } from './test-button.tsx';
import { words } from './words.ts';

const text = words.deliveries;
type Filter = ArgumentsOf<'listWebhookDeliveries'>['query'];
type Status = WebhookDelivery['status'];

const any = 'any';
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
  const [status, setStatus] = useQueryParam('state');
  const [event, setEvent] = useQueryParam('event');
  const [to, setTo] = useQueryParam('to');
  const mayList = useRefusal('admin') === undefined;
  const connected = useRead(
    'listIntegrations',
    { path: { appId: app.id }, query: { limit: 100 } },
    { enabled: mayList },
  );
  const filter = {
    ...(status === undefined ? {} : { status }),
    ...(event === undefined ? {} : { event }),
    ...(to === undefined ? {} : { type: to }),
  } as Filter;
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
        <FilterBox
          label={text.filterStatus}
          choices={statuses}
          value={status}
          onChange={setStatus}
        />
        <FilterBox label={text.filterEvent} choices={events} value={event} onChange={setEvent} />
        <FilterBox label={text.filterTo} choices={targets} value={to} onChange={setTo} />
        <span className="grow" />
        {(status === 'dead' || status === 'stopped') && (
          <RetryAll filter={{ ...filter, status }} isNone={rows.total === 0} />
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

function FilterBox({
  label,
  choices,
  value,
  onChange,
}: {
  readonly label: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}) {
  const none = { value: any, label: text.any(label.toLowerCase()) };
  return (
    <SelectBox
      isAuto
      label={label}
      choices={[none, ...choices]}
      value={value ?? any}
      onChange={(next) => onChange(next === any ? undefined : next)}
    />
  );
}

function RetryAll({
  filter,
  isNone,
}: {
  readonly filter: Filter & { readonly status: 'dead' | 'stopped' };
  readonly isNone: boolean;
}) {
  const app = useApp();
  const refused = useRefusal('write');
  const [isAsking, setAsking] = useState(false);
  const retry = useAct('retryWebhookDeliveries');
  return (
    <>
      <Button icon="refresh" refused={refused} isDisabled={isNone} onClick={() => setAsking(true)}>
        {text.retryAll}
      </Button>
      <Confirm
        isOpen={isAsking}
        title={text.retryAllTitle}
        action={text.retryAll}
        isBusy={retry.isPending}
        error={retry.error?.message}
        onClose={() => setAsking(false)}
        onConfirm={() =>
          retry.mutate(
            { path: { appId: app.id }, body: filter },
            {
              onSuccess: ({ retried }) => {
                tellDone(text.retried(retried));
                setAsking(false);
              },
            },
          )
        }
      >
        {text.retryAllText(text.states[filter.status])}
      </Confirm>
    </>
  );
}
