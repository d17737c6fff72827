// The message of a step: a saved one, or content that only this step has.

import { useState } from 'react';
import type { Channel } from '../api/generated.ts';
import { useRead } from '../api/queries.ts';
import { useApp } from '../api/session-context.tsx';
import { appPath } from '../ui/address.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Segmented } from '../ui/choices.tsx';
import { Combobox } from '../ui/combobox.tsx';
import { Field } from '../ui/field.tsx';
import { writtenForOf } from '../ui/written-for.ts';
import { InlineMessage } from './inline-message.tsx';
import { words } from './words.ts';

const text = words.send;

export interface MessageChoice {
  readonly messageId?: string;
  readonly message?: Readonly<Record<string, unknown>>;
}

export function MessageField({
  value,
  onChange,
  errorOf,
}: {
  readonly value: MessageChoice;
  /** `channels`: those that a saved message is written for, when it is chosen. */
  readonly onChange: (value: MessageChoice, channels?: readonly Channel[]) => void;
  errorOf(field: string): string | undefined;
}) {
  const source = value.message === undefined ? 'saved' : 'own';
  // What was written or chosen comes back when the source is changed back.
  const [left, setLeft] = useState<MessageChoice>({});
  const change = (next: 'saved' | 'own') => {
    if (next === source) return;
    setLeft(value);
    if (next === 'own') onChange({ message: left.message ?? {} });
    else onChange(left.messageId === undefined ? {} : { messageId: left.messageId });
  };
  return (
    <>
      <div className="field">
        <span className="field-label" aria-hidden="true">
          {text.source}
        </span>
        <Segmented
          label={text.source}
          value={source}
          choices={[
            { value: 'saved', label: text.saved },
            { value: 'own', label: text.own },
          ]}
          onChange={change}
        />
      </div>
      {source === 'saved' ? (
        <SavedMessage
          value={value.messageId}
          error={errorOf('messageId') ?? errorOf('')}
          onChange={(messageId, channels) => onChange({ messageId }, channels)}
        />
      ) : (
        <InlineMessage
          value={value.message ?? {}}
          errorOf={(field) => errorOf(`message.${field}`)}
          error={errorOf('message') ?? errorOf('')}
          onChange={(message) => onChange({ message })}
        />
      )}
    </>
  );
}

function SavedMessage({
  value,
  onChange,
  error,
}: {
  readonly value: string | undefined;
  readonly onChange: (messageId: string, channels: readonly Channel[] | undefined) => void;
  readonly error: string | undefined;
}) {
  const app = useApp();
  const [typed, setTyped] = useState<string>();
  const chosen = useRead(
    'readMessage',
    { path: { appId: app.id, id: value ?? '' } },
    { enabled: (value ?? '') !== '' },
  );
  const found = useRead(
    'listMessages',
    {
      path: { appId: app.id },
      query: { limit: 20, order: 'newest', ...(typed ? { q: typed } : {}) },
    },
    { keepPrevious: true },
  );
  const shown = typed ?? (value === undefined ? '' : nameOf(chosen.data) || value);
  const { title, body } = chosen.data ?? {};
  return (
    <>
      <Field
        label={text.message}
        error={error}
        hint={found.data?.items.length === 0 && !typed ? text.none : undefined}
      >
        <Combobox
          value={shown}
          placeholder={text.messagePlaceholder}
          isFiltered={false}
          suggestions={(found.data?.items ?? []).map((one) => ({
            value: one.id,
            label: nameOf(one),
          }))}
          onChange={setTyped}
          onChoose={(id) => {
            setTyped(undefined);
            const one = found.data?.items.find((message) => message.id === id);
            onChange(id, one && writtenForOf(one));
          }}
        />
      </Field>
      {value !== undefined && chosen.data !== undefined && (
        <div className="message-glance">
          {title !== undefined && <strong>{title}</strong>}
          {body !== undefined && <p className="soft">{body}</p>}
          <ButtonLink size="small" icon="external" to={appPath(app.id, 'messages', value)}>
            {text.open}
          </ButtonLink>
        </div>
      )}
    </>
  );
}

interface Named {
  readonly id: string;
  readonly name?: string;
  readonly title?: string;
  readonly body?: string;
}

export function nameOf(message: Named | undefined): string {
  return message?.name ?? message?.title ?? message?.body ?? message?.id ?? '';
}
