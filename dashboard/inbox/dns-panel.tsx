// The DNS panel: the records that verify sender domains, and two ways to add one: by hand, or as
// the API returns them, so that nobody has to copy a key.

import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { SelectBox } from '../ui/choices.tsx';
import { Field } from '../ui/field.tsx';
import { Facts } from '../ui/figure.tsx';
import { TextArea, TextInput } from '../ui/input.tsx';
import { useControl, useControlChange } from './control.ts';
import { PanelForm } from './panel-form.tsx';
import { words } from './words.ts';

interface DnsRecord {
  readonly id: number;
  readonly type: 'TXT' | 'CNAME';
  readonly name: string;
  readonly value: string;
}

interface DnsAnswer {
  readonly records: readonly DnsRecord[];
  readonly failingLabels: readonly { readonly label: string; readonly says: string }[];
}

const text = words.dns;
const typeChoices = [
  { value: 'TXT', label: 'TXT' },
  { value: 'CNAME', label: 'CNAME' },
] as const;

export function useDns(): DnsAnswer {
  return useControl<DnsAnswer>('/dns').data ?? { records: [], failingLabels: [] };
}

export function DnsPanel() {
  const { records, failingLabels } = useDns();
  return (
    <>
      <p className="soft">{text.intro}</p>
      {records.length === 0 ? (
        <p className="soft">{text.none}</p>
      ) : (
        <ul className="inbox-rules">
          {records.map((record) => (
            <Row key={record.id} record={record} />
          ))}
        </ul>
      )}
      <PastedRecords />
      <h3>{text.one}</h3>
      <NewRecord />
      <h3>{text.labels}</h3>
      <p className="soft">{text.labelsIntro}</p>
      <Facts items={failingLabels.map(({ label, says }) => [label, says])} />
    </>
  );
}

function Row({ record: { id, type, name, value } }: { readonly record: DnsRecord }) {
  const { change } = useControlChange('/dns');
  return (
    <li>
      <span className="grow">
        <strong>{type}</strong> <code>{name}</code>
        <code className="inbox-value ellipsis soft" title={value}>
          {value}
        </code>
      </span>
      <Button
        kind="quiet"
        size="small"
        aria-label={text.remove(`${type} ${name}`)}
        onClick={() => void change('DELETE', undefined, `/${id}`)}
      >
        {words.remove}
      </Button>
    </li>
  );
}

function PastedRecords() {
  const [response, setResponse] = useState('');
  return (
    <PanelForm
      label={text.paste}
      path="/dns"
      body={() => parsed(response)}
      action={text.addAll}
      onDone={() => setResponse('')}
    >
      <Field label={text.response}>
        <TextArea
          value={response}
          onChange={setResponse}
          required
          spellCheck={false}
          placeholder={text.example}
        />
      </Field>
    </PanelForm>
  );
}

function parsed(response: string): unknown {
  try {
    return JSON.parse(response);
  } catch {
    throw new Error(text.notJson);
  }
}

function NewRecord() {
  const [type, setType] = useState<DnsRecord['type']>('TXT');
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const empty = () => {
    setType('TXT');
    setName('');
    setValue('');
  };
  return (
    <PanelForm
      label={text.form}
      path="/dns"
      body={() => ({ type, name, value })}
      action={text.add}
      onDone={empty}
    >
      <Field label={text.type}>
        <SelectBox choices={typeChoices} value={type} onChange={setType} />
      </Field>
      <Field label={text.name}>
        <TextInput
          value={name}
          onChange={setName}
          required
          spellCheck={false}
          placeholder={text.nameExample}
        />
      </Field>
      <Field label={text.value}>
        <TextArea value={value} onChange={setValue} required spellCheck={false} />
      </Field>
    </PanelForm>
  );
}
