// The figures of a step: those that its kind can have, and no zeros but the first.

import { shortCount } from '../ui/figure.tsx';
import type { Step } from './model.ts';
import { words } from './words.ts';

export interface StepFigures {
  readonly entered: number;
  readonly waiting: number;
  readonly sent: number;
  readonly converted: number;
}

const shown = ['entered', 'waiting', 'sent', 'converted'] as const;

function figureTexts(figures: StepFigures): readonly string[] {
  return shown
    .filter((name) => name === 'entered' || figures[name] > 0)
    .map((name) => words.counts[name](shortCount(figures[name])));
}

export function StepCounts({
  step,
  figures: all,
}: {
  readonly step: Step;
  readonly figures: ReadonlyMap<string, StepFigures> | undefined;
}) {
  if (all === undefined) return null;
  const figures = all.get(step.id);
  // The line is there before its figures are.
  const texts = figures === undefined ? ['\u00a0'] : figureTexts(figures);
  return (
    <span className="step-counts" data-step={step.type}>
      {texts.map((text) => (
        <span key={text}>{text}</span>
      ))}
    </span>
  );
}
