// Addresses that get no messages: who, since when and why; adding and taking back. Above them, what
// may be an opt-out.

import { useState } from 'react';
import type { Channel, Suppression } from '../../api/generated.ts';
import { useAct, useList } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { useQueryParam } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { useShortcuts } from '../../ui/keys.ts';
import { Grey } from '../../ui/note.tsx';
import { useCursorRows } from '../../ui/rows.ts';
import { ScreenHead } from '../../ui/screen.tsx';
import { tellDone } from '../../ui/toast.tsx';
import { AddSuppression } from './add.tsx';
import { ConfirmRemove } from './confirm-remove.tsx';
import { Doubtful } from './doubtful.tsx';
import { FilterBar } from './filter-bar.tsx';
import { SuppressionList } from './list.tsx';
import { words } from './words.ts';

export default function Suppressions() {
  const app = useApp();
  const path = { appId: app.id };
  const refused = useRefusal('write');
  const [channel, setChannel] = useQueryParam('channel');
  const [q, setQ] = useQueryParam('q');
  const [isAdding, setAdding] = useState(false);
  const [asked, setAsked] = useState<Suppression>();
  const list = useList('listSuppressions', {
    path,
    query: {
      ...(channel === undefined ? {} : { channel: channel as Channel }),
      ...(q === undefined || q === '' ? {} : { q }),
    },
  });
  const rows = useCursorRows<Suppression>(list);
  const doubtful = useList('listDoubtful', { path, query: {} });
  const remove = useAct('deleteSuppression');
  useShortcuts([{ keys: 'c', label: words.add, run: () => refused ?? setAdding(true) }]);
  const removed = () => {
    tellDone(words.removed);
    setAsked(undefined);
  };
  const removeIt = (one: Suppression) => {
    const [first] = one.channels;
    if (first === undefined) return;
    remove.mutate(
      { path, query: { channel: first, address: one.address }, base: one },
      { onSuccess: removed },
    );
  };
  return (
    <>
      <ScreenHead
        title={words.title}
        actions={
          <Button kind="primary" icon="plus" refused={refused} onClick={() => setAdding(true)}>
            {words.add}
          </Button>
        }
      />
      {/* Waits for the doubtful opt-outs, which would move the list down. */}
      {doubtful.isLoading ? (
        <div className="screen-fill">
          <Grey />
        </div>
      ) : (
        <>
          <Doubtful list={doubtful} />
          <FilterBar channel={channel} onChannel={setChannel} q={q} onSearch={setQ} />
          <SuppressionList
            rows={rows}
            isFiltered={q !== undefined || channel !== undefined}
            refused={refused}
            onAdd={() => setAdding(true)}
            onRemove={setAsked}
          />
        </>
      )}
      <AddSuppression isOpen={isAdding} onClose={() => setAdding(false)} />
      <ConfirmRemove
        asked={asked}
        isBusy={remove.isPending}
        error={remove.error?.message}
        onClose={() => setAsked(undefined)}
        onConfirm={removeIt}
      />
    </>
  );
}
