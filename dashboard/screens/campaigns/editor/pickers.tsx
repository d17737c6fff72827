// A saved message or segment, chosen by its name.

import { useState } from 'react';
import { useList, useRead } from '../../../api/queries.ts';
import { useApp } from '../../../api/session-context.tsx';
import { Picker } from '../../../ui/picker.tsx';
import { words } from './words.ts';

interface PickerProps {
  readonly value: string | undefined;
  readonly onChange: (id: string | undefined) => void;
}

export function MessagePicker({ value, onChange }: PickerProps) {
  const app = useApp();
  const [q, setQ] = useState('');
  const list = useList('listMessages', { path: { appId: app.id }, query: queryOf(q) });
  const chosen = useRead(
    'readMessage',
    { path: { appId: app.id, id: value ?? '' } },
    { enabled: value !== undefined },
  );
  const nameOf = (one: { readonly id: string; readonly name?: string; readonly title?: string }) =>
    one.name ?? one.title ?? one.id;
  return (
    <Picker
      label={words.chooseMessage}
      empty={words.noMessages}
      value={
        value === undefined
          ? undefined
          : { id: value, label: chosen.data === undefined ? '…' : nameOf(chosen.data) }
      }
      items={(list.items ?? []).map((one) => ({
        id: one.id,
        label: nameOf(one),
        ...(one.name !== undefined && one.title !== undefined ? { hint: one.title } : {}),
      }))}
      onSearch={setQ}
      onChange={onChange}
    />
  );
}

export function SegmentPicker({ value, onChange }: PickerProps) {
  const app = useApp();
  const [q, setQ] = useState('');
  const list = useList('listSegments', { path: { appId: app.id }, query: queryOf(q) });
  const chosen = useRead(
    'readSegment',
    { path: { appId: app.id, id: value ?? '' } },
    { enabled: value !== undefined },
  );
  return (
    <Picker
      label={words.chooseSegment}
      empty={words.noSegments}
      value={value === undefined ? undefined : { id: value, label: chosen.data?.name ?? '…' }}
      items={(list.items ?? []).map(({ id, name }) => ({ id, label: name }))}
      onSearch={setQ}
      onChange={onChange}
    />
  );
}

function queryOf(q: string) {
  return { order: 'newest' as const, limit: 50, ...(q === '' ? {} : { q }) };
}
