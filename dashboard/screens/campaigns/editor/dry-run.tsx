// The totals of a dry run: how many now, later, not at all, and why; and what its texts cost.

import type { CampaignCost, DryRun } from '../../../api/generated.ts';
import { useRead } from '../../../api/queries.ts';
import { useApp } from '../../../api/session-context.tsx';
import { Bar, count, Figures, rate } from '../../../ui/figure.tsx';
import { ErrorNote, Grey, Note } from '../../../ui/note.tsx';
import { ScrollX } from '../../../ui/scroll-x.tsx';
import { billedChannels, billingAccount, channelName } from '../../../words/channels.ts';
import { plural } from '../../../words/plural.ts';
import { Reasons } from '../reasons.tsx';
import { words } from './words.ts';

export function DryRunNumbers({ run }: { readonly run: DryRun }) {
  const { audience, holdout, wouldSend, byChannel, byVariant, warnings, fallback } = run;
  const later = total(run.wouldDefer);
  const never = total(run.wouldSuppress);
  const billed = billedIn(run);
  const figure = (name: string, value: number) => ({
    name,
    value: count(value),
    note: rate(value, audience),
  });
  return (
    <div className="stack">
      {warnings.map(({ code, message }) => (
        <Note tone="notice" key={code}>
          {message}
        </Note>
      ))}
      {billed.length > 0 && <Note tone="notice">{words.billed(billed)}</Note>}
      {run.warmUp !== null && run.warmUp.later > 0 && (
        <Note tone="notice">{words.warmUp(run.warmUp)}</Note>
      )}
      {run.unvouched > 0 && <Note tone="notice">{words.unvouched(run.unvouched)}</Note>}
      <Figures
        items={[
          { name: words.would.audience, value: count(audience), note: '' },
          figure(words.would.send, wouldSend),
          figure(words.would.defer, later),
          figure(words.would.suppress, never),
          ...(holdout > 0 ? [figure(words.would.holdout, holdout)] : []),
        ]}
      />
      <div className="columns">
        <Split
          title={words.byChannel}
          parts={Object.entries(byChannel).map(([id, n]) => [channelName(id), n] as const)}
          all={wouldSend}
        />
        {Object.keys(byVariant).length > 0 && (
          <Split title={words.byVariant} parts={Object.entries(byVariant)} all={wouldSend} />
        )}
        {never > 0 && <Reasons title={words.neverBy} reasons={run.wouldSuppress} />}
        {later > 0 && <Reasons title={words.laterBy} reasons={run.wouldDefer} />}
      </div>
      {fallback !== null && <p>{words.fallbackWould(fallback.wouldSend)}</p>}
    </div>
  );
}

function Split({
  title,
  parts,
  all,
}: {
  readonly title: string;
  readonly parts: readonly (readonly [string, number])[];
  readonly all: number;
}) {
  if (parts.length === 0) return null;
  return (
    <section className="card">
      <div className="card-head">
        <h3>{title}</h3>
      </div>
      <ul className="card-body reasons">
        {parts.map(([name, people]) => (
          <li key={name}>
            <span>{name}</span>
            <strong className="number">{count(people)}</strong>
            <Bar label={name} part={people} all={all} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What providers bill, with the account that each of them bills. */
export function billedIn({ byChannel }: Pick<DryRun, 'byChannel'>): readonly string[] {
  return Object.entries(byChannel)
    .filter(([id, n]) => n > 0 && billedChannels.has(id))
    .map(([id, n]) => words.billedOn(count(n), channelName(id), billingAccount(id)));
}

export function total(reasons: Readonly<Record<string, number>>): number {
  return Object.values(reasons).reduce((sum, n) => sum + n, 0);
}

const costWords = {
  title: 'Cost of text messages',
  by: (relay: string) => `With the prices of the relay “${relay}”, which sends first.`,
  byApp: 'With the prices in App settings.',
  noPrices: (relay: string) =>
    `The relay “${relay}” has no prices. Add them at Channels, SMS, to see what the messages cost.`,
  noRelay: 'Your carrier account sends them. Add its prices in App settings to see what they cost.',
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
        <h3 id="text-costs">{costWords.title}</h3>
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
  const { currency, isEstimate, primary, fallback } = cost;
  return (
    <>
      <p className="soft">
        <bdi>{pricesText(cost)}</bdi>
      </p>
      {isEstimate && <Note tone="notice">{costWords.estimate}</Note>}
      <Sums cost={primary} currency={currency} />
      {fallback !== null && (
        <>
          <strong>{costWords.fallback}</strong>
          <Sums cost={fallback} currency={currency} />
        </>
      )}
    </>
  );
}

function pricesText({ relay, pricesOf }: CampaignCost): string {
  if (pricesOf === 'app') return costWords.byApp;
  if (relay === null) return costWords.noRelay;
  return (pricesOf === null ? costWords.noPrices : costWords.by)(relay.name);
}

function Sums({
  cost: { countries, texts, segments, total, unsendable },
  currency,
}: {
  readonly cost: CampaignCost['primary'];
  readonly currency: string | null;
}) {
  const unpriced = countries.filter(({ cost }) => cost === null);
  const shown = (value: number | null) =>
    value === null || currency === null ? costWords.none : moneyText(value, currency);
  return (
    <>
      <ScrollX>
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">{costWords.country}</th>
              <th scope="col" className="end">
                {costWords.cost}
              </th>
              <th scope="col" className="end">
                {costWords.segments}
              </th>
              <th scope="col" className="end">
                {costWords.texts}
              </th>
            </tr>
          </thead>
          <tbody>
            {countries.map(({ country, ...one }) => (
              <tr key={country}>
                <th scope="row">{countryText(country)}</th>
                <td className="end">{shown(one.cost)}</td>
                <td className="end">{count(one.segments)}</td>
                <td className="end">{count(one.texts)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{costWords.total}</th>
              <td className="end">
                <strong>{shown(total)}</strong>
              </td>
              <td className="end">{count(segments)}</td>
              <td className="end">{count(texts)}</td>
            </tr>
          </tfoot>
        </table>
      </ScrollX>
      {currency !== null && unpriced.length > 0 && (
        <Note tone="notice">
          {costWords.unpriced(unpriced.map(({ country }) => countryText(country)).join(', '))}
        </Note>
      )}
      {unsendable > 0 && <Note tone="notice">{costWords.unsendable(unsendable)}</Note>}
    </>
  );
}

const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

const countryText = (country: string | null): string =>
  country === null ? costWords.unknown : (names.of(country) ?? country);

/** Small sums keep the places that prices of texts have. */
function moneyText(value: number, currency: string): string {
  const form = { style: 'currency', currency } as const;
  const usual = new Intl.NumberFormat('en', form);
  if (value === 0 || value >= 1) return usual.format(value);
  // Below one unit to three digits, and never fewer than the currency has.
  const decimals = String(Number(value.toPrecision(3))).split('.')[1]?.length ?? 0;
  const minimumFractionDigits = Math.max(
    decimals,
    usual.resolvedOptions().minimumFractionDigits ?? 0,
  );
  return new Intl.NumberFormat('en', { ...form, minimumFractionDigits }).format(value);
}
