// What became of each person, by outcome, variant and occurrence; all of them as a file.

import { hrefOf } from '../../api/client.ts';
import type { Campaign, CampaignRecipient, CampaignStats } from '../../api/generated.ts';
import { useList } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { FilterParam, given } from '../../kit/params.tsx';
import { NameOf } from '../../person/person-name.tsx';
import { appPath, useQueryParam } from '../../ui/address.ts';
import { Badge } from '../../ui/badge.tsx';
import { DownloadLink } from '../../ui/download.tsx';
import { Empty } from '../../ui/note.tsx';
import { useCursorRows } from '../../ui/rows.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { counted } from '../../words/counted.ts';
import { reasonText } from '../../words/send-reasons.ts';
import type { Tone } from '../../words/tone.ts';
import { words } from './words.ts';

type Outcome = keyof typeof words.outcomes;

const outcomes = Object.keys(words.outcomes) as readonly Outcome[];

export function Recipients({
  campaign,
  stats,
}: {
  readonly campaign: Campaign;
  readonly stats: CampaignStats | undefined;
}) {
  const app = useApp();
  const [outcomeText] = useQueryParam('outcome');
  const [variant] = useQueryParam('variant');
  const [occurrence] = useQueryParam('occurrence');
  const outcome = outcomes.find((one) => one === outcomeText);
  const query = {
    ...given({ outcome, variant }),
    ...(occurrence === undefined ? {} : { occurrence: Number(occurrence) }),
  };
  const path = { appId: app.id, id: campaign.id };
  const list = useList('listRecipients', { path, query });
  const rows = useCursorRows<CampaignRecipient>(list);
  const variants = (campaign.variants ?? []).map(({ id }) => ({ value: id, label: id }));
  const numbers = (stats?.occurrences ?? []).map(({ number }) => ({
    value: String(number),
    label: words.page.number(number),
  }));
  return (
    <>
      <div className="row">
        <FilterParam
          name="outcome"
          label={words.people.outcome}
          none={words.people.everyone}
          choices={outcomes.map((value) => ({ value, label: words.outcomes[value] }))}
        />
        {variants.length > 0 && (
          <FilterParam
            name="variant"
            label={words.page.variant}
            none={words.people.everyVariant}
            choices={variants}
          />
        )}
        {numbers.length > 1 && (
          <FilterParam
            name="occurrence"
            label={words.page.occurrence}
            none={words.people.newest}
            choices={numbers}
          />
        )}
        <span className="grow" />
        <DownloadLink href={hrefOf('listRecipients', { path, query: { ...query, format: 'csv' } })}>
          {words.people.csv}
        </DownloadLink>
      </div>
      <div className="campaign-people">
        <Table
          key={JSON.stringify(query)}
          label={words.page.people}
          counted={counted.people}
          rows={rows}
          columns={variants.length > 0 ? columns : columns.filter(({ id }) => id !== 'variant')}
          keyOf={({ subscriberId, occurrence }) => `${subscriberId} ${occurrence}`}
          to={({ subscriberId }) => appPath(app.id, 'people', subscriberId)}
          empty={<Empty icon="people" title={words.people.none} />}
        />
      </div>
    </>
  );
}

const tones: Readonly<Record<CampaignRecipient['outcome'], Tone>> = {
  pending: 'accent',
  delivered: 'good',
  bounced: 'notice',
  failed: 'bad',
  suppressed: 'off',
  holdout: 'off',
};

const columns: readonly Column<CampaignRecipient>[] = [
  {
    id: 'who',
    head: words.people.who,
    width: 'minmax(140px, 1fr)',
    cell: (one) => <NameOf {...one} />,
    narrow: 'title',
  },
  {
    id: 'outcome',
    head: words.people.outcome,
    width: '124px',
    cell: ({ outcome }) => <Badge tone={tones[outcome]}>{words.outcomes[outcome]}</Badge>,
    narrow: 'side',
  },
  {
    id: 'did',
    head: words.people.did,
    width: 'minmax(100px, 1fr)',
    cell: (one) => didText(one),
    narrow: 'sub',
  },
  {
    id: 'reason',
    head: words.people.reason,
    width: 'minmax(100px, 1.4fr)',
    cell: ({ reason }) => reason !== null && <span className="soft">{reasonText(reason)}</span>,
  },
  {
    id: 'variant',
    head: words.page.variant,
    width: '120px',
    cell: ({ variant }) => variant,
    narrow: 'side-sub',
  },
];

const reactions = ['opened', 'clicked', 'converted', 'unsubscribed', 'complained'] as const;

function didText(one: CampaignRecipient): string {
  const did = reactions.filter((reaction) => one[reaction]);
  return did.map((reaction) => words.outcomes[reaction]).join(', ');
}
