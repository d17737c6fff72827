// The warm-up of a sender domain: today's count, the curve to come, holding it, and its numbers.

import { type FormEvent, useId, useState } from 'react';
import type { WarmUp } from '../../api/generated.ts';
import { useAct, useRead } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { actionsOn } from '../../kit/action.ts';
import { ActionButton } from '../../kit/action-view.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Bar } from '../../ui/figure.tsx';
import { TextArea } from '../../ui/input.tsx';
import { Answer, ErrorNote, Note } from '../../ui/note.tsx';
import { Time } from '../../ui/time.tsx';
import type { Tone } from '../../words/tone.ts';
import { Curve } from './curve.tsx';
import { warmUpWords as text } from './warm-up-words.ts';

const tones: Readonly<Record<WarmUp['state'], Tone>> = {
  off: 'off',
  scheduled: 'notice',
  running: 'good',
  held: 'notice',
  finished: 'off',
};

/** The version that is shown; none before it begins. */
function versionOf({ etag, ...rest }: WarmUp) {
  return etag === null ? null : { ...rest, etag };
}

const change = {
  needs: 'admin',
  operation: 'putWarmUp',
} as const;

const hold = actionsOn<WarmUp>()({
  ...change,
  id: 'hold',
  label: text.hold,
  args: (one, appId) => ({
    path: { appId, domain: one.domain },
    body: { held: true },
    base: versionOf(one),
  }),
  done: ({ domain }) => text.isHeld(domain),
});

const goOn = actionsOn<WarmUp>()({
  ...change,
  id: 'go-on',
  label: text.goOn,
  args: (one, appId) => ({
    path: { appId, domain: one.domain },
    body: { held: false },
    base: versionOf(one),
  }),
  done: ({ domain }) => text.goesOn(domain),
});

const end = actionsOn<WarmUp>()({
  id: 'end',
  label: text.end,
  needs: 'admin',
  confirm: ({ domain, state }) => ({
    title: text.endTitle(domain),
    text: state === 'finished' ? text.endFinished : text.endText,
  }),
  operation: 'deleteWarmUp',
  args: (one, appId) => ({ path: { appId, domain: one.domain }, base: versionOf(one) }),
  done: ({ domain }) => text.ended(domain),
});

export function WarmUpOf({ domain }: { readonly domain: string }) {
  const app = useApp();
  const path = { appId: app.id, domain };
  const warmUp = useRead('readWarmUp', { path }, { everyMs: countsEveryMs });
  const title = useId();
  return (
    <section className="warm-up stack-tight" aria-labelledby={title}>
      <Answer result={warmUp} rows={2}>
        {(one) => <Shown one={one} title={title} />}
      </Answer>
    </section>
  );
}

/** Emails leave while the page is open. */
function countsEveryMs(one: WarmUp | undefined): number | false {
  return one?.used && one.today !== null ? 10_000 : false;
}

function Shown({ one, title }: { readonly one: WarmUp; readonly title: string }) {
  const [isEditing, setEditing] = useState(false);
  const refused = useRefusal('admin');
  const isOn = one.state !== 'off';
  return (
    <>
      <div className="row-between">
        <div className="row">
          <h4 id={title}>{text.title}</h4>
          <Badge tone={tones[one.state]}>{text.states[one.state]}</Badge>
        </div>
        {!isEditing && (
          <div className="row">
            {one.state === 'running' && <ActionButton action={hold} thing={one} size="small" />}
            {one.state === 'held' && <ActionButton action={goOn} thing={one} size="small" />}
            <Button size="small" refused={refused} onClick={() => setEditing(true)}>
              {isOn ? text.edit : text.start}
            </Button>
            {isOn && <ActionButton action={end} thing={one} size="small" kind="quiet" />}
          </div>
        )}
      </div>
      {!isEditing && <Standing one={one} />}
      {isEditing && <Numbers one={one} onClose={() => setEditing(false)} />}
    </>
  );
}

function Standing({ one }: { readonly one: WarmUp }) {
  const { state, today, days, startsAt, endsAt, used } = one;
  if (state === 'off') return <p className="soft">{text.off}</p>;
  return (
    <>
      {!used && state !== 'finished' && <Note tone="notice">{text.unused}</Note>}
      {today?.unknown === true && <Note tone="notice">{text.unknown}</Note>}
      {state === 'scheduled' && startsAt !== null && (
        <p>
          {text.starts} <Time at={startsAt} />
        </p>
      )}
      {state === 'finished' && <p className="soft">{text.finished}</p>}
      {today !== null && (
        <>
          <p>{text.today(today.day, days.length, today.sent, today.max)}</p>
          <Bar label={text.sentToday} part={today.sent} all={today.max} />
          {today.sent > today.max && <p className="soft">{text.above}</p>}
        </>
      )}
      {state !== 'finished' && <Curve days={days} today={today?.day} />}
      {state === 'running' && endsAt !== null && (
        <p className="soft">
          {text.ends} <Time at={endsAt} />
        </p>
      )}
    </>
  );
}

function Numbers({ one, onClose }: { readonly one: WarmUp; readonly onClose: () => void }) {
  const app = useApp();
  // What was shown when it opened: a change by somebody else meanwhile is a conflict.
  const [base] = useState(one);
  const [typed, setTyped] = useState(() => one.days.map(({ max }) => max).join(', '));
  const put = useAct('putWarmUp');
  const numbers = numbersIn(typed);
  const problem = typeof numbers === 'string' ? numbers : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typeof numbers === 'string') return;
    const days = numbers.map((max, at) => dayOf(max, base.days[at]));
    put.mutate(
      { path: { appId: app.id, domain: one.domain }, body: { days }, base: versionOf(base) },
      { onSuccess: onClose },
    );
  };
  return (
    <form className="stack-tight" onSubmit={submit}>
      {base.state === 'off' && <p className="soft">{text.intro}</p>}
      <Field label={text.numbers} hint={text.numbersHint} error={problem}>
        <TextArea rows={3} spellCheck={false} value={typed} onChange={setTyped} />
      </Field>
      {typeof numbers !== 'string' && <Curve days={numbers.map((max) => ({ max }))} />}
      {put.error !== undefined && <ErrorNote error={put.error} />}
      <div className="row">
        <Button
          type="submit"
          kind="primary"
          isBusy={put.isPending}
          isDisabled={problem !== undefined}
        >
          {base.state === 'off' ? text.begin : text.save}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          {text.cancel}
        </Button>
      </div>
    </form>
  );
}

/** Numbers of mailbox providers stay where they still fit. */
function dayOf(max: number, before: WarmUp['days'][number] | undefined) {
  const kept = Object.entries(before?.perProvider ?? {}).filter(([, theirs]) => theirs <= max);
  return kept.length === 0 ? { max } : { max, perProvider: Object.fromEntries(kept) };
}

/** `1,000` and `50,100` look alike, so a comma between digits is a question back. */
function numbersIn(typed: string): readonly number[] | string {
  if (/\d,\d/.test(typed)) return text.ambiguous;
  const parts = typed.split(/[\s,;]+/).filter((part) => part !== '');
  if (parts.length === 0) return text.none;
  if (parts.length > 366) return text.tooMany;
  const wrong = parts.find((part) => !/^[1-9]\d{0,7}$/.test(part));
  return wrong === undefined ? parts.map(Number) : text.notANumber(wrong);
}
