// The card of a step on the canvas. The keyboard walks the outline beside it, so cards are left out
// of the order of focus.

import { classNames } from '../ui/class-names.ts';
import { Icon } from '../ui/icon.tsx';
import { isComplete, stepKindOf, stepSentence } from './kinds.ts';
import type { Step } from './model.ts';
import { focusRow, type JourneyView } from './outline.tsx';
import { StepCounts } from './step-counts.tsx';
import { words } from './words.ts';

export function StepCard({ step, view }: { readonly step: Step; readonly view: JourneyView }) {
  const kind = stepKindOf(step);
  const isWrong = view.wrong.has(step.id);
  const isMissing = !isComplete(step);
  const sentence = stepSentence(step, view.names);
  return (
    <button
      type="button"
      tabIndex={-1}
      className={classNames(
        'step-card',
        kind?.id,
        isWrong && 'wrong',
        view.visited.has(step.id) && 'visited',
      )}
      aria-pressed={view.selected === step.id}
      onClick={() => {
        view.onSelect(step.id);
        focusRow(step.id);
      }}
    >
      <span className="step-sign">
        <Icon name={kind?.icon ?? 'help'} />
      </span>
      <span className="step-text">
        <strong className="ellipsis" title={step.id}>
          {step.id}
        </strong>
        <span className="step-sentence" title={sentence}>
          {sentence}
        </span>
      </span>
      <span className="step-marks">
        {step.note !== undefined && (
          <span className="step-noted" title={step.note}>
            <Icon name="note" />
            <span className="sr-only">{`${words.note}: ${step.note}`}</span>
          </span>
        )}
        {(isWrong || isMissing) && (
          <span className="step-mark" title={isWrong ? words.wrong : words.missing}>
            <Icon name="warning" />
            <span className="sr-only">{isWrong ? words.wrong : words.missing}</span>
          </span>
        )}
      </span>
      <StepCounts step={step} figures={view.figures} />
    </button>
  );
}
