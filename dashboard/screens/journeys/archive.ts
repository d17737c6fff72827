// Archives and unarchives a journey. A toast shows the server's message if it refuses.

import type { Journey } from '../../api/generated.ts';
import { useAct } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { tellDone, tellError } from '../../ui/toast.tsx';
import { words } from './words.ts';

export function useArchive({ id, name }: Pick<Journey, 'id' | 'name'>) {
  const app = useApp();
  const path = { appId: app.id, id };
  const archive = useAct('archiveJourney');
  const unarchive = useAct('unarchiveJourney');
  const onError = (error: Error) => tellError(error.message);
  const takeBack = () =>
    unarchive.mutate({ path }, { onError, onSuccess: () => tellDone(words.unarchived(name)) });
  return {
    isBusy: archive.isPending || unarchive.isPending,
    archive: () =>
      archive.mutate(
        { path },
        {
          onError,
          onSuccess: () => tellDone(words.archived(name), { label: words.undo, run: takeBack }),
        },
      ),
    unarchive: takeBack,
  };
}
