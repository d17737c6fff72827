// Tries a gateway with one text: the request, what came back, and how it is judged.

import { useState } from 'react';
import type { AnswerOf, ArgumentsOf } from '../api/client.ts';
import { useSecretAct } from '../api/secret-act.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { TextInput } from '../ui/input.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { failureText } from '../words/send-reasons.ts';
import type { Tone } from '../words/tone.ts';
import { gatewayWords as text } from './gateway-words.ts';
import { useRelayPlace } from './relay-owner.ts';

type Trial = AnswerOf<'tryRelay'>;

export function GatewayTrial({
  relayId,
  change,
}: {
  readonly relayId: string;
  /** What is not saved yet. */
  readonly change: () => Readonly<Record<string, unknown>>;
}) {
  const { appId, channel, operations } = useRelayPlace();
  const trial = useSecretAct(operations.try);
  const [to, setTo] = useState('');
  const [words, setWords] = useState<string>(text.textDefault);
  const [done, setDone] = useState<Trial>();
  const run = (send: boolean) => {
    const config = change() as NonNullable<ArgumentsOf<'tryRelay'>['body']['config']>;
    const body = {
      ...{ to, text: words, send },
      ...(Object.keys(config).length > 0 && { config }),
    };
    setDone(undefined);
    trial.run({ path: { appId, id: relayId }, body }, setDone);
  };
  const { error } = trial;
  return (
    <fieldset className="stack gateway-trial">
      <legend className="field-label">{text.try}</legend>
      <p className="soft">{text.tryIntro}</p>
      <div className="columns">
        <Field label={text.to} hint={text.toHint} error={error?.of('to')}>
          <TextInput type="tel" autoComplete="tel" value={to} onChange={setTo} />
        </Field>
        <Field label={text.text} error={error?.of('text')}>
          <TextInput value={words} onChange={setWords} />
        </Field>
      </div>
      <div className="row">
        <Button isBusy={trial.isPending} onClick={() => run(false)}>
          {text.show}
        </Button>
        <Button isBusy={trial.isPending} onClick={() => run(true)}>
          {text.send}
        </Button>
        <span className="soft">{text.sendNote}</span>
      </div>
      {error !== undefined && error.of('to') === undefined && <ErrorNote error={error} />}
      {done !== undefined && <Result trial={done} channel={channel} />}
    </fieldset>
  );
}

const tones: Readonly<Partial<Record<NonNullable<Trial['outcome']>, Tone>>> = {
  accepted: 'good',
  rate: 'notice',
  retry: 'notice',
  ambiguous: 'notice',
};

function Result({
  trial,
  channel,
}: {
  readonly trial: Trial;
  readonly channel: Parameters<typeof failureText>[2];
}) {
  const { request, answer, outcome, reason, detail, messageId, tookMs } = trial;
  return (
    <div className="stack" role="status">
      {request !== null && (
        <div className="stack-tight">
          <strong>{text.request}</strong>
          <Shown text={requestText(request)} />
        </div>
      )}
      {outcome !== null && request !== null && (
        <div className="stack-tight">
          <strong>{answer === null ? text.noAnswer : text.answer(answer.status)}</strong>
          {answer !== null && <Shown text={answer.body === '' ? text.emptyAnswer : answer.body} />}
        </div>
      )}
      {outcome !== null && (
        <div className="stack-tight">
          <div className="row">
            <strong>{text.judged}</strong>
            <Badge tone={tones[outcome] ?? 'bad'}>{text.outcomes[outcome]}</Badge>
            <span className="soft">{text.took(tookMs)}</span>
          </div>
          {reason !== null && <p>{failureText(reason, detail, channel)}.</p>}
          {messageId !== null && <p className="soft">{text.messageId(messageId)}</p>}
        </div>
      )}
    </div>
  );
}

/** It scrolls where it is long, by the keyboard too. */
function Shown({ text: shown }: { readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre className="gateway-call" tabIndex={0}>
      {shown}
    </pre>
  );
}

function requestText({ method, url, headers, body }: NonNullable<Trial['request']>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${url}`, ...lines, ...(body === null ? [] : ['', body])].join('\n');
}
