// The faults panel: rules in force, a form to add one, and the recipient names that always fail.

import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { SelectBox } from '../ui/choices.tsx';
import { Field } from '../ui/field.tsx';
import { Facts } from '../ui/figure.tsx';
import { NumberInput, TextInput } from '../ui/input.tsx';
import { useChannelName, useControl, useControlChange, useStandIns } from './control.ts';
import { PanelForm } from './panel-form.tsx';
import { words } from './words.ts';

type FaultKind = keyof typeof words.faults.kinds;

interface FaultRule {
  readonly id: number;
  readonly channel: string;
  readonly match: string;
  readonly fault: FaultKind;
  readonly value?: number;
  readonly retryAfterSeconds?: number;
  readonly count?: number;
  readonly hits: number;
}

const text = words.faults;
const kindChoices = Object.entries(text.kinds).map(([value, label]) => ({
  value: value as FaultKind,
  label,
}));
const initial: Readonly<Record<FaultKind, number | undefined>> = {
  status: 503,
  latency: 2000,
  hang: undefined,
  drop: undefined,
};

export function useFaultRules(): readonly FaultRule[] {
  const { data } = useControl<{ readonly faults: readonly FaultRule[] }>('/faults');
  return data?.faults ?? [];
}

export function FaultsPanel() {
  const rules = useFaultRules();
  const channels = useStandIns();
  return (
    <>
      <p className="soft">{text.intro}</p>
      {rules.length === 0 ? (
        <p className="soft">{text.none}</p>
      ) : (
        <ul className="inbox-rules">
          {rules.map((rule) => (
            <Rule key={rule.id} rule={rule} />
          ))}
        </ul>
      )}
      <NewRule />
      <h3>{text.names}</h3>
      <p className="soft">{text.namesIntro}</p>
      {channels.map(({ channel, label, faults }, at) => (
        <details key={channel} open={at === 0}>
          <summary>{label}</summary>
          <Facts items={faults.map(({ prefix, says }) => [`${prefix}…`, says])} />
        </details>
      ))}
    </>
  );
}

function Rule({ rule }: { readonly rule: FaultRule }) {
  const { id, channel, match, fault, value, retryAfterSeconds, count, hits } = rule;
  const { change } = useControlChange('/faults');
  const channelName = useChannelName();
  const what = text.effects[fault](value);
  return (
    <li>
      <span className="grow">
        <strong>{what}</strong>
        {retryAfterSeconds !== undefined && text.retryAfter(retryAfterSeconds)}
        {text.where(channel === '*' ? undefined : channelName(channel), match)}
      </span>
      <span className="soft">{text.used(hits, count)}</span>
      <Button
        kind="quiet"
        size="small"
        aria-label={text.remove(what)}
        onClick={() => void change('DELETE', undefined, `/${id}`)}
      >
        {words.remove}
      </Button>
    </li>
  );
}

function NewRule() {
  const channels = useStandIns();
  const [channel, setChannel] = useState('*');
  const [match, setMatch] = useState('');
  const [fault, setFault] = useState<FaultKind>('status');
  const [value, setValue] = useState(initial.status);
  const [retryAfterSeconds, setRetry] = useState<number>();
  const [count, setCount] = useState<number>();
  const rule = {
    channel,
    match: match === '' ? '*' : match,
    fault,
    ...(hasValue(fault) ? { value } : {}),
    ...(fault === 'status' ? { retryAfterSeconds } : {}),
    count,
  };
  return (
    <PanelForm label={text.form} path="/faults" body={() => rule} action={text.add}>
      <Field label={text.channel}>
        <SelectBox
          choices={[
            { value: '*', label: text.all },
            ...channels.map((one) => ({ value: one.channel, label: one.label })),
          ]}
          value={channel}
          onChange={setChannel}
        />
      </Field>
      <Field label={text.match}>
        <TextInput value={match} onChange={setMatch} placeholder={text.anyone} />
      </Field>
      <Field label={text.fault}>
        <SelectBox
          choices={kindChoices}
          value={fault}
          onChange={(next) => {
            setFault(next);
            setValue(initial[next]);
          }}
        />
      </Field>
      {hasValue(fault) && (
        <Field label={text.values[fault]}>
          <NumberInput value={value} onChange={setValue} min={0} max={60_000} />
        </Field>
      )}
      {fault === 'status' && (
        <Field label={text.retry}>
          <NumberInput
            value={retryAfterSeconds}
            onChange={setRetry}
            min={0}
            placeholder={text.noRetry}
          />
        </Field>
      )}
      <Field label={text.times}>
        <NumberInput value={count} onChange={setCount} min={1} placeholder={text.forever} />
      </Field>
    </PanelForm>
  );
}

function hasValue(fault: FaultKind): fault is keyof typeof text.values {
  return fault in text.values;
}
