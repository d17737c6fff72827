// The webhooks panel: the URL of the sandbox's receiver, how it answers, and each delivery that it
// got, with its headers and whether its signature is right.

import { useState } from 'react';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { SelectBox } from '../ui/choices.tsx';
import { Copyable } from '../ui/code.tsx';
import { Field } from '../ui/field.tsx';
import { Facts } from '../ui/figure.tsx';
import { TextArea } from '../ui/input.tsx';
import type { Tone } from '../words/tone.ts';
import { useControl, useControlChange } from './control.ts';
import { PanelForm } from './panel-form.tsx';
import { arrivalTime, indented } from './row-words.ts';
import { words } from './words.ts';

type Reply = keyof typeof words.webhooks.answers;
type Verdict = keyof typeof words.webhooks.verdicts;

interface Delivery {
  readonly id: number;
  readonly at: string;
  readonly path: string;
  readonly event: string | null;
  readonly attempt: number;
  readonly answer: string;
  readonly signature: { readonly verdict: Verdict; readonly says: string };
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

interface Receiver {
  readonly url: string;
  readonly paths: readonly { readonly path: string; readonly answer: Reply }[];
  readonly answer: Reply;
  /** How many it checks signatures with. */
  readonly secrets: number;
  readonly deliveries: readonly Delivery[];
}

const text = words.webhooks;
const answerChoices = Object.entries(text.answers).map(([value, label]) => ({ value, label }));
const tones: Readonly<Record<Verdict, Tone>> = {
  right: 'good',
  wrong: 'bad',
  unsigned: 'notice',
  unknown: 'notice',
};

export function useReceiver(): Receiver | undefined {
  return useControl<Receiver>('/webhooks').data;
}

export function WebhooksPanel() {
  const receiver = useReceiver();
  const { change } = useControlChange('/webhooks');
  if (receiver === undefined) return null;
  const { url, paths, deliveries } = receiver;
  return (
    <>
      <p className="soft">{text.intro}</p>
      <p>
        <Copyable text={url} />
      </p>
      <Settings receiver={receiver} />
      <h3>{text.paths}</h3>
      <p className="soft">{text.pathsIntro}</p>
      <Facts items={paths.map(({ path, answer }) => [path, text.answers[answer]])} />
      <div className="row-between">
        <h3>{text.deliveries}</h3>
        <Button
          kind="quiet"
          size="small"
          aria-label={text.clear}
          onClick={() => void change('DELETE')}
        >
          {words.clear}
        </Button>
      </div>
      {deliveries.length === 0 && <p className="soft">{text.none}</p>}
      <ol className="inbox-deliveries" aria-label={words.list.newest}>
        {deliveries.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} />
        ))}
      </ol>
    </>
  );
}

/** The answer changes at once, the secrets on submit. */
function Settings({ receiver }: { readonly receiver: Receiver }) {
  const [secrets, setSecrets] = useState('');
  const { change } = useControlChange('/webhooks');
  return (
    <PanelForm
      label={text.form}
      path="/webhooks"
      body={() => ({ secrets: secrets.split(/\s+/).filter((secret) => secret !== '') })}
      action={text.check}
      onDone={() => setSecrets('')}
    >
      <Field label={text.answer}>
        <SelectBox
          choices={answerChoices}
          value={String(receiver.answer)}
          onChange={(answer) => void change('POST', { answer })}
        />
      </Field>
      <Field label={text.secrets} hint={text.checked(receiver.secrets)}>
        <TextArea
          value={secrets}
          onChange={setSecrets}
          spellCheck={false}
          autoComplete="off"
          placeholder={text.secretExample}
        />
      </Field>
    </PanelForm>
  );
}

function DeliveryRow({ delivery }: { readonly delivery: Delivery }) {
  const { at, event, path, attempt, answer, signature, headers, body } = delivery;
  const notes = [
    answer === 'hang' ? text.noResponse : text.answered(answer),
    attempt > 1 ? text.attempt(attempt) : '',
    path,
  ].filter((note) => note !== '');
  return (
    <li>
      <details>
        <summary>
          <span className="row-between">
            <strong>{event ?? text.noEvent}</strong>
            <time className="soft" dateTime={at}>
              {arrivalTime(at)}
            </time>
          </span>
          <span className="row-between soft">
            {notes.join(' · ')}
            <Badge tone={tones[signature.verdict]}>{text.verdicts[signature.verdict]}</Badge>
          </span>
        </summary>
        <p className="soft">{signature.says}</p>
        <Facts items={headers} />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reachable by keyboard */}
        <pre tabIndex={0}>{indented(body)}</pre>
      </details>
    </li>
  );
}
