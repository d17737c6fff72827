// The way to a first campaign. Facts tick its steps; it goes when all are done, or when it is
// hidden.

import { Link } from 'wouter';
import { useAddSample } from '../../person/add-sample.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import type { Step } from './steps.ts';
import { words } from './words.ts';

export function Checklist({
  steps,
  onHide,
}: {
  readonly steps: readonly Step[];
  readonly onHide: () => void;
}) {
  const next = steps.findIndex(({ isDone }) => !isDone);
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <section className="card" aria-labelledby="checklist">
      <div className="card-head">
        <h2 id="checklist">{words.start}</h2>
        <div className="row">
          <span className="soft" role="status">
            {words.doneOf(done, steps.length)}
          </span>
          <IconButton label={words.hide} icon="close" size="small" onClick={onHide} />
        </div>
      </div>
      <ol className="checklist">
        {steps.map((step, at) => (
          <li
            key={step.id}
            className={classNames(step.isDone && 'is-done', at === next && 'is-next')}
          >
            <span className="checklist-mark">
              {step.isDone ? <Icon name="check" /> : at + 1}
              <span className="sr-only">{step.isDone ? words.done : words.toDo}</span>
            </span>
            <StepLink {...step} />
            {step.id === 'people' && !step.isDone && <AddSample />}
          </li>
        ))}
      </ol>
    </section>
  );
}

function AddSample() {
  const { add, isPending, error } = useAddSample();
  return (
    <>
      {error !== undefined && (
        <span className="field-error" role="alert">
          {error.message}
        </span>
      )}
      <Button size="small" icon="people" isBusy={isPending} onClick={add}>
        {words.addSample}
      </Button>
    </>
  );
}

function StepLink({ title, text, to, href }: Step) {
  const inner = (
    <>
      <strong>{title}</strong>
      <span className="soft">{text}</span>
    </>
  );
  if (href !== undefined)
    return (
      <a href={href} target="_blank" rel="noreferrer">
        {inner}
      </a>
    );
  return <Link to={to}>{inner}</Link>;
}
