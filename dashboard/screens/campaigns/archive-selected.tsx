// Archives the selected campaigns; what is not over cannot be archived and says so.

import type { Campaign } from '../../api/generated.ts';
import { useAct } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../frame/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { tellDone, tellError } from '../../ui/toast.tsx';
import { changed, may } from './actions.ts';
import { words } from './words.ts';

export function ArchiveSelected({
  campaigns,
  onDone,
}: {
  readonly campaigns: readonly Campaign[];
  readonly onDone: () => void;
}) {
  const app = useApp();
  const act = useAct('archiveCampaignOfApp', changed);
  const refused = useRefusal('write');
  const running = campaigns.filter((one) => !may(one).archive);
  const archive = async () => {
    try {
      for (const { id } of campaigns) await act.mutateAsync({ path: { appId: app.id, id } });
      tellDone(words.done.archivedMany(campaigns.length));
      onDone();
    } catch (error) {
      tellError(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <Button
      size="small"
      icon="inbox"
      refused={refused ?? (running.length > 0 ? words.archiveRunning(running.length) : undefined)}
      isBusy={act.isPending}
      onClick={() => void archive()}
    >
      {words.act.archive}
    </Button>
  );
}
