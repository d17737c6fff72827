// How many people went from event to event, and where the others stopped.

import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { durationWords } from '../../time/duration.ts';
import { useQueryParam } from '../../ui/address.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { EventBox } from '../../ui/event-box.tsx';
import { Field } from '../../ui/field.tsx';
import { Bar, count, rate } from '../../ui/figure.tsx';
import { NumberInput } from '../../ui/input.tsx';
import { Answer, Note } from '../../ui/note.tsx';
import { PeopleLink, ReportCard } from './report.tsx';
import { words } from './words.ts';

const stepsMax = 10;
const stepsMin = 2;

export function Funnel({ days }: { readonly days: number }) {
  const app = useApp();
  const [text, setText] = useQueryParam('steps');
  const [within, setWithin] = useQueryParam('within');
  const typed = (text ?? ',').split(',');
  const steps = typed.filter((name) => name.trim() !== '');
  const set = (next: readonly string[]) => setText(next.join(',') || ',');
  const withinHours = Number(within);
  const funnel = useRead(
    'readFunnel',
    {
      query: {},
      body: {
        appId: app.id,
        steps: steps.map((event) => ({ event })),
        days,
        ...(withinHours > 0 ? { withinHours } : {}),
      },
    },
    { enabled: steps.length >= stepsMin, keepPrevious: true },
  );
  return (
    <>
      <div className="card card-body stack">
        <h2>{words.steps}</h2>
        <StepNames typed={typed} onChange={set} />
        <div className="row-between">
          <Button
            icon="plus"
            isDisabled={typed.length >= stepsMax}
            onClick={() => set([...typed, ''])}
          >
            {words.addStep}
          </Button>
          <Field
            label={words.within}
            hint={words.withinHint}
            error={funnel.error?.of('withinHours')}
          >
            <NumberInput
              min={1}
              value={within === undefined ? undefined : withinHours}
              onChange={(next) => setWithin(next === undefined ? undefined : String(next))}
            />
          </Field>
        </div>
      </div>
      {steps.length < stepsMin ? (
        <Note>{words.chooseSteps}</Note>
      ) : (
        <Answer result={funnel}>{({ steps: found }) => <Found steps={found} days={days} />}</Answer>
      )}
    </>
  );
}

function StepNames({
  typed,
  onChange,
}: {
  readonly typed: readonly string[];
  readonly onChange: (typed: readonly string[]) => void;
}) {
  return (
    <>
      {typed.map((name, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place
        <div key={at} className="row">
          <div className="grow">
            <EventBox
              label={words.step(at + 1)}
              placeholder={words.step(at + 1)}
              value={name}
              onChange={(next) => onChange(typed.with(at, next.replaceAll(',', '')))}
            />
          </div>
          {typed.length > stepsMin && (
            <IconButton
              label={words.removeEvent(name)}
              icon="close"
              onClick={() => onChange(typed.toSpliced(at, 1))}
            />
          )}
        </div>
      ))}
    </>
  );
}

function Found({ steps, days }: { readonly steps: readonly Step[]; readonly days: number }) {
  return (
    <ReportCard title={words.funnel} rows={() => fileOf(steps)}>
      <ol className="event-funnel">
        {steps.map((step, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place
          <li key={at}>
            <div className="row-between">
              <strong>{step.event}</strong>
              <span className="event-funnel-count">{count(step.count)}</span>
            </div>
            <Bar label={step.event} part={step.count} all={steps[0]?.count ?? 0} />
            <div className="row-between">
              <p className="soft">{at > 0 && shareText(step)}</p>
              <StepPeople events={steps.map(({ event }) => event)} at={at} days={days} />
            </div>
          </li>
        ))}
      </ol>
    </ReportCard>
  );
}

/** What a filter can say: everyone of the first step, and who never came to a later one. */
function StepPeople({
  events,
  at,
  days,
}: {
  readonly events: readonly string[];
  readonly at: number;
  readonly days: number;
}) {
  const event = events[at] ?? '';
  const before = events[at - 1];
  const did = (name: string) => ({ event: name, withinDays: days });
  if (before === undefined) return <PeopleLink filter={did(event)}>{words.stepPeople}</PeopleLink>;
  if (before === event) return null;
  return (
    <PeopleLink filter={{ all: [did(before), { event, notWithinDays: days }] }}>
      {words.stepLost(before, event, days)}
    </PeopleLink>
  );
}

interface Step {
  readonly event: string;
  readonly count: number;
  readonly conversionFromFirst: number | null;
  readonly conversionFromPrevious: number | null;
  readonly medianSecondsFromPrevious: number | null;
}

function shareText(step: Step): string {
  const shares = [
    `${rate(step.conversionFromFirst ?? 0, 1)} ${words.fromFirst}`,
    `${rate(step.conversionFromPrevious ?? 0, 1)} ${words.fromPrevious}`,
  ].join(', ');
  const seconds = step.medianSecondsFromPrevious;
  return seconds === null ? shares : `${shares}. ${words.median(durationWords(seconds))}`;
}

function fileOf(steps: readonly Step[]): readonly (readonly (string | number | null)[])[] {
  const { first, previous, median } = words.conversions;
  return [
    [words.event, words.people, first, previous, median],
    ...steps.map((one) => [
      one.event,
      one.count,
      one.conversionFromFirst,
      one.conversionFromPrevious,
      one.medianSecondsFromPrevious,
    ]),
  ];
}
