// The totals of a dry run: how many now, later, not at all, and why.

import type { DryRun } from '../../../api/generated.ts';
import { Bar, count, Figures, rate } from '../../../ui/figure.tsx';
import { Note } from '../../../ui/note.tsx';
import { billedChannels, billingAccount, channelName } from '../../../words/channels.ts';
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
