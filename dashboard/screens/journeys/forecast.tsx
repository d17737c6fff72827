// What the journey would have done with the events of the last days.

import { useState } from 'react';
import type { Journey } from '../../api/generated.ts';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { stepsOf } from '../../canvas/model.ts';
import { useQueryParam } from '../../ui/address.ts';
import { Segmented } from '../../ui/choices.tsx';
import { count, Figures, rate } from '../../ui/figure.tsx';
import { Answer, Note } from '../../ui/note.tsx';
import { DayBars } from './day-bars.tsx';
import { StepCurves } from './step-curves.tsx';
import { words } from './words.ts';

const text = words.forecast;
const dayChoices = [7, 30, 90] as const;

export function Forecast({
  journey,
  isChanged,
  onStep,
}: {
  readonly journey: Journey | undefined;
  readonly isChanged: boolean;
  readonly onStep: (id: string) => void;
}) {
  if (journey === undefined) return <p className="soft">{text.notSaved}</p>;
  return <SavedForecast journey={journey} isChanged={isChanged} onStep={onStep} />;
}

function SavedForecast({
  journey,
  isChanged,
  onStep,
}: {
  readonly journey: Journey;
  readonly isChanged: boolean;
  readonly onStep: (id: string) => void;
}) {
  const app = useApp();
  const [param, setParam] = useQueryParam('days');
  const days = dayChoices.find((n) => String(n) === param) ?? 30;
  const [isTable, setTable] = useState(false);
  const result = useRead(
    'forecastJourney',
    { path: { appId: app.id, id: journey.id }, body: { days } },
    { keepPrevious: true },
  );
  return (
    <>
      <p className="soft">{text.text}</p>
      <Segmented
        label={text.days}
        value={String(days)}
        choices={dayChoices.map((n) => ({ value: String(n), label: text.dayCount(n) }))}
        onChange={(next) => setParam(next === '30' ? undefined : next)}
      />
      {isChanged && <Note tone="notice">{text.unsaved}</Note>}
      <Answer result={result} rows={4}>
        {({ enrolled, sends, bySteps, converted, completed, inFlow, note, days: over }) => (
          <>
            <p>
              <strong>{text.sentence(sends.total, over)}</strong>
            </p>
            <Figures
              items={[
                { name: text.enrolled, value: count(enrolled), note: text.inFlow(count(inFlow)) },
                { name: text.sends, value: count(sends.total) },
                {
                  name: text.converted,
                  value: count(converted),
                  note: enrolled > 0 ? rate(converted, enrolled) : undefined,
                },
                { name: text.completed, value: count(completed) },
              ]}
            />
            {sends.byDay.length > 0 && (
              <DayBars items={sends.byDay} isTable={isTable} onTable={setTable} />
            )}
            {enrolled > 0 && (
              <StepCurves
                steps={stepsOf(journey.steps)}
                bySteps={bySteps}
                days={sends.byDay.map(({ day }) => day)}
                onStep={onStep}
              />
            )}
            <p className="field-hint">{note}</p>
          </>
        )}
      </Answer>
    </>
  );
}
