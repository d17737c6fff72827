// Names an event, with the known ones to choose from: the app's own, and behind them those that
// Engage records.

import { useRead } from '../api/queries.ts';
import { useApp } from '../api/session-context.tsx';
import { words } from '../words/en.ts';
import { Combobox } from './combobox.tsx';
import { count } from './figure.tsx';
import type { ComboboxProps } from './suggestions.tsx';

export function EventBox({
  hintOf = count,
  ...props
}: Omit<ComboboxProps, 'suggestions'> & {
  /** What stands behind a name, of the people who did it. */
  readonly hintOf?: (people: number) => string;
}) {
  const app = useApp();
  const fields = useRead('listFields', { path: { appId: app.id } });
  const suggestions = (fields.data?.events ?? []).map(({ name, origin, people }) => ({
    value: name,
    hint: hintOf(people),
    group: words.eventOrigins[origin],
  }));
  return <Combobox {...props} suggestions={suggestions} />;
}
