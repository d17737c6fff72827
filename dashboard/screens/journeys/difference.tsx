// What a copy does differently from the journey it was made from.

import { Link } from 'wouter';
import type { Journey } from '../../api/generated.ts';
import { useApp } from '../../api/session-context.tsx';
import type { MessageNames } from '../../canvas/kind.ts';
import { stepSentence } from '../../canvas/kinds.ts';
import { type Step, stepsOf } from '../../canvas/model.ts';
import { appPath } from '../../ui/address.ts';
import { Badge } from '../../ui/badge.tsx';
import type { Tone } from '../../words/tone.ts';
import type { Draft } from './draft.ts';
import { useOriginal } from './original.ts';
import { type StepChange, stepChanges } from './step-changes.ts';
import { useTriggerText } from './trigger.tsx';
import { useMessageNames } from './use-message-names.ts';
import { words } from './words.ts';

const text = words.difference;

const tones: Readonly<Record<StepChange['what'], Tone>> = {
  added: 'good',
  removed: 'bad',
  changed: 'notice',
  moved: 'accent',
};

export function Difference({
  journey,
  draft,
}: {
  readonly journey: Journey;
  readonly draft: Draft;
}) {
  const original = useOriginal(journey.id);
  if (original === undefined) return null;
  return <Compared original={original} draft={draft} />;
}

function Compared({ original, draft }: { readonly original: Journey; readonly draft: Draft }) {
  const app = useApp();
  const before = stepsOf(original.steps);
  const names = useMessageNames([...before, ...draft.steps]);
  const oldTrigger = useTriggerText(original);
  const trigger = useTriggerText(draft);
  const changes = stepChanges(before, draft.steps);
  const facts = [
    { name: text.start, before: oldTrigger, after: trigger },
    {
      name: text.reentry,
      before: words.settings[original.reentry],
      after: words.settings[draft.reentry],
    },
  ].filter((fact) => fact.before !== fact.after);
  const total = changes.length + facts.length;
  return (
    <section className="stack-tight difference">
      <h3>{text.title}</h3>
      <p className="soft">
        <Link to={appPath(app.id, 'journeys', original.id)}>{text.against(original.name)}</Link>
        {': '}
        {total === 0 ? text.none : text.count(total)}
      </p>
      <ul>
        {facts.map((fact) => (
          <li key={fact.name}>
            <div className="row">
              <Badge tone="notice">{text.changed}</Badge>
              <strong>{fact.name}</strong>
            </div>
            <Sides before={fact.before} after={fact.after} />
          </li>
        ))}
        {changes.map((change) => (
          <li key={change.id}>
            <div className="row">
              <Badge tone={tones[change.what]}>{text[change.what]}</Badge>
              <strong>{change.id}</strong>
            </div>
            <Sides
              before={change.before && said(change.before, names)}
              after={change.after && said(change.after, names)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** With its note, which may be all that changed. */
function said(step: Step, names: MessageNames): string {
  const sentence = stepSentence(step, names);
  return step.note === undefined ? sentence : text.noted(sentence, step.note);
}

function Sides({
  before,
  after,
}: {
  readonly before: string | undefined;
  readonly after: string | undefined;
}) {
  if (before === after) return <p className="soft">{after}</p>;
  return (
    <>
      {before !== undefined && (
        <p className="difference-before">
          <span className="sr-only">{text.before}</span> <del>{before}</del>
        </p>
      )}
      {after !== undefined && (
        <p>
          <span className="sr-only">{text.after}</span> <ins>{after}</ins>
        </p>
      )}
    </>
  );
}
