// What the texts of a campaign cost: by country, with the prices of the relay that sends first.

import type { CampaignCost, DryRun } from '../../../api/generated.ts';
import { useRead } from '../../../api/queries.ts';
import { useApp } from '../../../api/session-context.tsx';
import { PlainTable } from '../../../kit/plain-table.tsx';
import { count } from '../../../ui/figure.tsx';
import { ErrorNote, Grey, Note } from '../../../ui/note.tsx';
import { plural } from '../../../words/plural.ts';

type TextCost = CampaignCost['primary'];

const text = {
  title: 'Cost of text messages',
  by: (relay: string) => `With the prices of the relay “${relay}”, which sends first.`,
  noPrices: (relay: string) =>
    `The relay “${relay}” has no prices. Add them at Channels, SMS, to see what the messages cost.`,
  noRelay: 'Your carrier account sends them. Only relays can have prices.',
  estimate:
    'An estimate: the audience is large, so some people stand for all, or the winning variant is not known yet.',
  unpriced: (countries: string) => `No price is known for ${countries}. These are not in the sum.`,
  unsendable: (n: number) =>
    `${plural(n, { one: '{n} message', other: '{n} messages' })} cannot be sent: too long, or not possible to render.`,
  fallback: 'If nobody reacts, the fallback adds',
  country: 'Country',
  texts: 'Messages',
  segments: 'Segments',
  cost: 'Cost',
  total: 'Total',
  unknown: 'No country',
  none: '–',
} as const;

export function TextCosts({
  campaignId,
  run: { dryRunId },
}: {
  readonly campaignId: string;
  readonly run: DryRun;
}) {
  const app = useApp();
  const read = useRead('readCampaignCost', { path: { appId: app.id, id: campaignId, dryRunId } });
  const { data, error } = read;
  return (
    <section className="card" aria-labelledby="text-costs">
      <div className="card-head">
        <h3 id="text-costs">{text.title}</h3>
      </div>
      <div className="card-body stack">
        {error !== undefined && <ErrorNote error={error} onAgain={() => void read.refetch()} />}
        {data === undefined && error === undefined && <Grey rows={4} />}
        {data !== undefined && <Costs cost={data} />}
      </div>
    </section>
  );
}

function Costs({ cost }: { readonly cost: CampaignCost }) {
  const { relay, currency, isEstimate, primary, fallback } = cost;
  return (
    <>
      {relay === null ? (
        <p className="soft">{text.noRelay}</p>
      ) : (
        <p className="soft">
          <bdi>{(currency === null ? text.noPrices : text.by)(relay.name)}</bdi>
        </p>
      )}
      {isEstimate && <Note tone="notice">{text.estimate}</Note>}
      <Sums cost={primary} currency={currency} />
      {fallback !== null && (
        <>
          <strong>{text.fallback}</strong>
          <Sums cost={fallback} currency={currency} />
        </>
      )}
    </>
  );
}

function Sums({
  cost: { countries, texts, segments, total, unsendable },
  currency,
}: {
  readonly cost: TextCost;
  readonly currency: string | null;
}) {
  const unpriced = countries.filter(({ cost }) => cost === null);
  const shown = (value: number | null) =>
    value === null || currency === null ? text.none : moneyText(value, currency);
  return (
    <>
      <PlainTable
        columns={[
          { head: text.country, isHead: true, cell: ({ country }) => countryText(country) },
          { head: text.texts, isNumber: true, cell: (one) => count(one.texts) },
          { head: text.segments, isNumber: true, cell: (one) => count(one.segments) },
          { head: text.cost, isNumber: true, cell: ({ cost }) => shown(cost) },
        ]}
        rows={countries}
        keyOf={({ country }) => String(country)}
        foot={
          <tfoot>
            <tr>
              <th scope="row">{text.total}</th>
              <td className="end">{count(texts)}</td>
              <td className="end">{count(segments)}</td>
              <td className="end">
                <strong>{shown(total)}</strong>
              </td>
            </tr>
          </tfoot>
        }
      />
      {currency !== null && unpriced.length > 0 && (
        <Note tone="notice">
          {text.unpriced(unpriced.map(({ country }) => countryText(country)).join(', '))}
        </Note>
      )}
      {unsendable > 0 && <Note tone="notice">{text.unsendable(unsendable)}</Note>}
    </>
  );
}

const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

function countryText(country: string | null): string {
  return country === null ? text.unknown : (names.of(country) ?? country);
}

/** Small sums keep the places that prices of texts have. */
function moneyText(value: number, currency: string): string {
  const places = value !== 0 && value < 1 ? { maximumSignificantDigits: 3 } : {};
  return new Intl.NumberFormat('en', { style: 'currency', currency, ...places }).format(value);
}
