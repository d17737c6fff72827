// The review: what is missing, what the dry run found, and the people behind each number.

import type { Campaign, DryRun } from '../../../api/generated.ts';
import { Button } from '../../../ui/button.tsx';
import { Check } from '../../../ui/choices.tsx';
import { Field } from '../../../ui/field.tsx';
import { NumberInput } from '../../../ui/input.tsx';
import { late } from '../../../ui/late.tsx';
import { ErrorNote, Grey, Note } from '../../../ui/note.tsx';
import type { Draft } from './draft.ts';
import { DryRunNumbers, TextCosts } from './dry-run.tsx';
import { DryRunPeople } from './dry-run-people.tsx';
import type { FoldId, Lack } from './missing.ts';
import type { DryRunReview } from './use-dry-run.ts';
import { words } from './words.ts';

const CampaignMessage = late(
  () => import('../message.tsx').then((file) => file.CampaignMessage),
  () => <Grey rows={10} />,
);

const MailChecks = late(
  () => import('./mail-checks.tsx').then((file) => file.MailChecks),
  () => <Grey rows={10} />,
);

export function Review({
  draft,
  missing,
  review,
  campaign,
  onRun,
  onGo,
}: {
  readonly draft: Draft;
  readonly missing: readonly Lack[];
  readonly review: DryRunReview;
  readonly campaign: Campaign | undefined;
  readonly onRun: () => void;
  readonly onGo: (fold: FoldId) => void;
}) {
  const { result, isStale, isRunning, error } = review;
  return (
    <>
      <Lacks missing={missing} onGo={onGo} />
      <div className="row-between">
        <p className="soft grow">{words.reviewIntro}</p>
        <Button icon="refresh" isBusy={isRunning} isDisabled={missing.length > 0} onClick={onRun}>
          {result === undefined ? words.run : words.runAgain}
        </Button>
      </div>
      {error !== undefined && <ErrorNote error={error} onAgain={onRun} />}
      {isRunning && result === undefined && <Grey rows={6} />}
      {result !== undefined && campaign !== undefined && (
        <>
          {isStale && <Note tone="notice">{words.stale}</Note>}
          {draft.when !== 'now' && <p className="soft">{words.scheduledNote}</p>}
          <DryRunNumbers run={result} />
          {sendsTexts(campaign, result) && <TextCosts campaignId={campaign.id} run={result} />}
          <section className="card" aria-labelledby="what-they-get">
            <div className="card-head">
              <h3 id="what-they-get">{words.whatTheyGet}</h3>
            </div>
            <div className="card-body">
              <CampaignMessage campaign={campaign} />
            </div>
          </section>
          {campaign.channels?.includes('email') !== false && <MailChecks campaign={campaign} />}
          <Warnings campaign={campaign} review={review} />
          <Field label={words.tolerance} hint={words.toleranceHint} error={error?.of('tolerance')}>
            <NumberInput value={review.tolerance} min={0} onChange={review.setTolerance} />
          </Field>
          <DryRunPeople campaignId={campaign.id} run={result} />
        </>
      )}
    </>
  );
}

function sendsTexts({ channels, fallbackChannels }: Campaign, { byChannel }: DryRun): boolean {
  const { sms = 0 } = byChannel;
  return sms > 0 || [channels, fallbackChannels].some((each) => each?.includes('sms') === true);
}

/** What is missing, each a way to the fold that asks for it. */
export function Lacks({
  missing,
  onGo,
}: {
  readonly missing: readonly Lack[];
  readonly onGo: (fold: FoldId) => void;
}) {
  if (missing.length === 0) return null;
  return (
    <Note tone="notice">
      <strong>{words.missing}</strong>
      <ul className="lacks">
        {missing.map(({ field, text, fold }) => (
          <li key={`${field} ${text}`}>
            <button type="button" className="link-button" onClick={() => onGo(fold)}>
              {text}
            </button>
          </li>
        ))}
      </ul>
    </Note>
  );
}

function Warnings({
  campaign: { warnings = [] },
  review,
}: {
  readonly campaign: Campaign;
  readonly review: DryRunReview;
}) {
  // Advice stands in the dry run.
  const blocking = warnings.filter(({ advisory }) => advisory !== true);
  if (blocking.length === 0) return null;
  return (
    <Note tone="notice">
      <strong>{words.misspelled}</strong>
      <ul>
        {blocking.map(({ field, warning }) => (
          <li key={field}>
            <code>{field}</code> {warning}
          </li>
        ))}
      </ul>
      <Check isChecked={review.confirmsWarnings} onChange={review.setConfirmsWarnings}>
        {words.confirmWarnings}
      </Check>
    </Note>
  );
}
