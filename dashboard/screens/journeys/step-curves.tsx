// A forecast by step: how many would have come to it or got its message, day by day.

import type { AnswerOf } from '../../api/client.ts';
import { stepKindOf } from '../../canvas/kinds.ts';
import { allSteps, type Step } from '../../canvas/model.ts';
import { count } from '../../ui/figure.tsx';
import { Icon } from '../../ui/icon.tsx';
import { curvePath } from './curve-path.ts';
import { dayText } from './day-text.ts';
import { words } from './words.ts';

const text = words.forecast;
const width = 88;
const height = 24;

type BySteps = AnswerOf<'forecastJourney'>['bySteps'];

export function StepCurves({
  steps,
  bySteps,
  days,
  onStep,
}: {
  readonly steps: readonly Step[];
  readonly bySteps: BySteps;
  readonly days: readonly string[];
  readonly onStep: (id: string) => void;
}) {
  const shown = allSteps(steps).flatMap(({ step }) => {
    const counts = bySteps[step.id];
    if (counts === undefined) return [];
    const isSend = step.type === 'send';
    return [
      {
        step,
        byDay: isSend ? counts.sentByDay : counts.enteredByDay,
        told: isSend ? text.sentOf(count(counts.sent)) : text.enteredOf(count(counts.entered)),
      },
    ];
  });
  // One scale for all, so that the curves can be compared.
  const most = Math.max(1, ...shown.flatMap(({ byDay }) => byDay));
  return (
    <section className="stack-tight step-curves">
      <h3>{text.bySteps}</h3>
      <p className="soft">{text.byStepsText}</p>
      <ul>
        {shown.map(({ step, byDay, told }) => (
          <li key={step.id}>
            <button type="button" onClick={() => onStep(step.id)}>
              <Icon name={stepKindOf(step)?.icon ?? 'help'} />
              <span className="ellipsis">{step.id}</span>
              <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
                <title>{peakText(days, byDay)}</title>
                <path d={curvePath(byDay, most, width, height)} />
              </svg>
              <span className="step-curve-count">{told}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function peakText(days: readonly string[], byDay: readonly number[]): string {
  const peak = Math.max(0, ...byDay);
  return peak === 0
    ? text.noPeak
    : text.peak(dayText(days[byDay.indexOf(peak)] ?? ''), count(peak));
}
