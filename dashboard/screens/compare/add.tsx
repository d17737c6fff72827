// Adds one more campaign to the comparison, found by its name.

import { useState } from 'react';
import { useList } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { Picker } from '../../ui/picker.tsx';
import { stateWords } from '../../words/campaign.ts';
import { words } from './words.ts';

export function AddCampaign({
  without,
  onAdd,
}: {
  readonly without: readonly string[];
  readonly onAdd: (id: string) => void;
}) {
  const app = useApp();
  const [q, setQ] = useState('');
  const list = useList('listCampaigns', {
    path: { appId: app.id },
    query: { order: 'newest', limit: 50, archived: 'all', ...(q === '' ? {} : { q }) },
  });
  return (
    <div className="compare-add">
      <Picker
        key={without.join()}
        label={words.add}
        empty={words.none}
        value={undefined}
        items={(list.items ?? [])
          .filter(({ id, state }) => state !== 'draft' && !without.includes(id))
          .map(({ id, name, state }) => ({ id, label: name, hint: stateWords[state] }))}
        onSearch={setQ}
        onChange={(id) => id !== undefined && onAdd(id)}
      />
    </div>
  );
}
