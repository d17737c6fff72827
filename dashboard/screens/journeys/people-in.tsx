// Who is in a journey now, all of them or those who wait at one step.

import { Link } from 'wouter';
import { hrefOf } from '../../api/client.ts';
import type { Journey, JourneyStats } from '../../api/generated.ts';
import { useTopic } from '../../api/live.ts';
import { useList } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { allSteps, type Step } from '../../canvas/model.ts';
import { NameOf } from '../../person/person-name.tsx';
import { appPath, useQueryParam } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { SelectBox } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { count, Figures, rate } from '../../ui/figure.tsx';
import { ErrorNote, Grey } from '../../ui/note.tsx';
import { Time } from '../../ui/time.tsx';
import { words } from './words.ts';

const text = words.people;
const everywhere = '';
const everyMs = 10_000;

export function PeopleIn({
  journey,
  stats,
  steps,
}: {
  readonly journey: Journey | undefined;
  readonly stats: JourneyStats | undefined;
  readonly steps: readonly Step[];
}) {
  if (journey === undefined || stats === undefined || (!journey.active && stats.enrolled === 0))
    return <p className="soft">{text.never}</p>;
  const { enrolled, inFlow, completed, converted, exited } = stats;
  return (
    <>
      <Figures
        items={[
          { name: words.inFlow, value: count(inFlow) },
          { name: words.enrolled, value: count(enrolled) },
          { name: words.converted, value: count(converted), note: rate(converted, enrolled) },
          { name: words.completed, value: count(completed) },
        ]}
      />
      {exited > 0 && <p className="soft">{text.exited(exited)}</p>}
      <Waiting journey={journey} stats={stats} steps={steps} />
    </>
  );
}

function Waiting({
  journey,
  stats,
  steps,
}: {
  readonly journey: Journey;
  readonly stats: JourneyStats;
  readonly steps: readonly Step[];
}) {
  const app = useApp();
  const [stepParam, setStep] = useQueryParam('step');
  const step = allSteps(steps).some((found) => found.step.id === stepParam) ? stepParam : undefined;
  const path = { appId: app.id, id: journey.id };
  const query = step === undefined ? {} : { step };
  const isServed = useTopic(app.id, `journey:${journey.id}`);
  const list = useList('listJourneyPeople', { path, query }, { everyMs: !isServed && everyMs });
  const choices = allSteps(steps).map(({ step: { id } }) => ({
    value: id,
    label: id,
    hint: count(stats.bySteps[id]?.waiting ?? 0),
  }));
  return (
    <>
      <Field label={text.step}>
        <SelectBox
          choices={[
            { value: everywhere, label: text.everywhere, hint: count(stats.inFlow) },
            ...choices,
          ]}
          value={step ?? everywhere}
          onChange={(next) => setStep(next)}
        />
      </Field>
      {list.error !== undefined && <ErrorNote error={list.error} onAgain={list.again} />}
      {list.isLoading && <Grey rows={4} />}
      {list.items?.length === 0 && !list.hasMore && <p className="soft">{text.none}</p>}
      <ul className="people-in">
        {list.items?.map(({ subscriberId, externalUserId, state, step: at, until }) => (
          <li key={subscriberId}>
            <Link to={appPath(app.id, 'people', subscriberId)} className="ellipsis">
              <NameOf subscriberId={subscriberId} externalUserId={externalUserId} />
            </Link>
            <span className="soft">
              {step === undefined && at !== null && <>{at}, </>}
              {state === 'leaving' ? text.leaving : text.until} <Time at={until} />
            </span>
          </li>
        ))}
      </ul>
      <div className="row">
        {list.hasMore && (
          <Button size="small" onClick={list.more}>
            {text.more}
          </Button>
        )}
        <a
          className="button small"
          href={hrefOf('listJourneyPeople', { path, query: { ...query, format: 'csv' } })}
          download=""
        >
          {text.export}
        </a>
      </div>
    </>
  );
}
