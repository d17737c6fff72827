// The people of a dry run by verdict, each a link to their story; all of them as a file.

import { useState } from 'react';
import { hrefOf } from '../../../api/client.ts';
import type { DryRun, DryRunPerson } from '../../../api/generated.ts';
import { useList } from '../../../api/queries.ts';
import { useApp } from '../../../api/session-context.tsx';
import { NameOf } from '../../../person/person-name.tsx';
import { appPath } from '../../../ui/address.ts';
import { Segmented } from '../../../ui/choices.tsx';
import { DownloadLink } from '../../../ui/download.tsx';
import { Empty } from '../../../ui/note.tsx';
import { useCursorRows } from '../../../ui/rows.ts';
import { type Column, Table } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { channelName } from '../../../words/channels.ts';
import { counted } from '../../../words/counted.ts';
import { reasonText } from '../../../words/send-reasons.ts';
import { words } from './words.ts';

type Verdict = DryRunPerson['verdict'];
const verdicts = Object.keys(words.verdicts) as readonly Verdict[];

function totalsOf({ wouldSend, wouldDefer, wouldSuppress, holdout }: DryRun) {
  const sum = (byReason: Readonly<Record<string, number>>) =>
    Object.values(byReason).reduce((all, people) => all + people, 0);
  return {
    send: wouldSend,
    defer: sum(wouldDefer),
    suppress: sum(wouldSuppress),
    holdout,
  } as const satisfies Readonly<Record<Verdict, number>>;
}

export function DryRunPeople({
  campaignId,
  run,
}: {
  readonly campaignId: string;
  readonly run: DryRun;
}) {
  const app = useApp();
  const [verdict, setVerdict] = useState<Verdict>('send');
  const path = { appId: app.id, id: campaignId, dryRunId: run.dryRunId };
  const list = useList('readDryRunOfApp', { path, query: { verdict } });
  const rows = useCursorRows<DryRunPerson>({ ...list, total: totalsOf(run)[verdict] });
  return (
    <section className="stack-tight">
      <div className="row-between">
        <Segmented
          label={words.verdict}
          choices={verdicts.map((value) => ({ value, label: words.verdicts[value] }))}
          value={verdict}
          onChange={setVerdict}
        />
        <DownloadLink href={hrefOf('readDryRunOfApp', { path, query: { format: 'csv' } })}>
          {words.csv}
        </DownloadLink>
      </div>
      <div className="dry-run-people">
        <Table
          key={`${run.dryRunId} ${verdict}`}
          label={words.verdict}
          counted={counted.people}
          rows={rows}
          columns={columns}
          keyOf={({ subscriberId }) => subscriberId}
          to={({ subscriberId }) => appPath(app.id, 'people', subscriberId)}
          empty={<Empty icon="people" title={words.nobody} />}
        />
      </div>
    </section>
  );
}

const columns: readonly Column<DryRunPerson>[] = [
  {
    id: 'who',
    head: words.who,
    cell: (one) => <NameOf {...one} />,
    narrow: 'title',
  },
  {
    id: 'why',
    head: words.why,
    width: 'minmax(0, 1.5fr)',
    cell: ({ reason, until }) => (
      <span className="soft">
        {reason !== null && reasonText(reason)} {until !== null && <Time at={until} />}
      </span>
    ),
    narrow: 'sub',
  },
  {
    id: 'channels',
    head: words.channelHead,
    cell: ({ channels }) => channels.map(channelName).join(', '),
    narrow: 'side',
  },
  { id: 'variant', head: words.variantHead, width: '90px', cell: ({ variant }) => variant },
];
