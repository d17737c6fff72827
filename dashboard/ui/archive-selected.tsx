// Archives what is selected in a list, one after the other. What cannot be archived says why.

import { useAct } from '../api/queries.ts';
import { useApp, useRefusal } from '../api/session-context.tsx';
import { actionWords } from '../words/actions.ts';
import { Button } from './button.tsx';
import { tellDone, tellError } from './toast.tsx';

interface Props {
  readonly operation: 'archiveCampaignOfApp' | 'archiveJourney';
  readonly ids: readonly string[];
  /** Why some of them cannot be archived now. */
  readonly refused: string | undefined;
  readonly archived: (n: number) => string;
  readonly onDone: () => void;
}

export function ArchiveSelected({ operation, ids, refused, archived, onDone }: Props) {
  const app = useApp();
  const act = useAct(operation);
  const mayNot = useRefusal('write');
  const archive = async () => {
    try {
      for (const id of ids) await act.mutateAsync({ path: { appId: app.id, id } });
      tellDone(archived(ids.length));
      onDone();
    } catch (error) {
      tellError(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <Button
      size="small"
      icon="inbox"
      refused={mayNot ?? refused}
      isBusy={act.isPending}
      onClick={() => void archive()}
    >
      {actionWords.archive}
    </Button>
  );
}
