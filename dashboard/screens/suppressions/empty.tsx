// What stands in place of the list when no address is in it.

import { useApp } from '../../api/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/note.tsx';
import { words } from './words.ts';

export function NoSuppressions({
  isFiltered,
  refused,
  onAdd,
}: {
  readonly isFiltered: boolean;
  readonly refused: string | undefined;
  readonly onAdd: () => void;
}) {
  const app = useApp();
  if (isFiltered) return <Empty icon="search" title={words.emptyFiltered} />;
  return (
    <Empty
      icon="suppressions"
      title={words.empty}
      action={
        <Button refused={refused} onClick={onAdd}>
          {words.add}
        </Button>
      }
      curl={`curl -X POST ${location.origin}/v1/apps/${app.id}/suppressions -H "authorization: Bearer $ENGAGE_KEY" -H "content-type: application/json" -d '{"channel":"email","address":"ada@example.com"}'`}
    >
      {words.emptyText}
    </Empty>
  );
}
