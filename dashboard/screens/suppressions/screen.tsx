// Addresses that get no messages: who, since when and why; adding and taking back. Above them, what
// may be an opt-out.

import { useState } from 'react';
import type { Channel, Suppression } from '../../api/generated.ts';
import { useList } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { given } from '../../kit/params.tsx';
import { useQueryParam } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { useShortcuts } from '../../ui/keys.ts';
import { Grey } from '../../ui/note.tsx';
import { useCursorRows } from '../../ui/rows.ts';
import { ScreenHead } from '../../ui/screen.tsx';
import { AddSuppression } from './add.tsx';
import { Doubtful } from './doubtful.tsx';
import { SuppressionList } from './list.tsx';
import { words } from './words.ts';

export default function Suppressions() {
  const app = useApp();
  const path = { appId: app.id };
  const refused = useRefusal('write');
  const [channel] = useQueryParam('channel');
  const [q] = useQueryParam('q');
  const [isAdding, setAdding] = useState(false);
  const query = given({ channel: channel as Channel | undefined, q });
  const rows = useCursorRows<Suppression>(useList('listSuppressions', { path, query }));
  const doubtful = useList('listDoubtful', { path, query: {} });
  const add = () => setAdding(true);
  useShortcuts([{ keys: 'c', label: words.add, run: () => refused ?? add() }]);
  return (
    <>
      <ScreenHead
        title={words.title}
        actions={
          <Button kind="primary" icon="plus" refused={refused} onClick={add}>
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
          <SuppressionList
            rows={rows}
            isFiltered={q !== undefined || channel !== undefined}
            refused={refused}
            onAdd={add}
          />
        </>
      )}
      <AddSuppression isOpen={isAdding} onClose={() => setAdding(false)} />
    </>
  );
}
