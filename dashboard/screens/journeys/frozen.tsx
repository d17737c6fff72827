// A live journey cannot change: a copy can, and takes its place when it goes live.

import { useLocation } from 'wouter';
import type { Journey } from '../../api/generated.ts';
import { useAct } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { appPath, withParams } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import { tellDone, tellError } from '../../ui/toast.tsx';
import { rememberOriginal } from './original.ts';
import { words } from './words.ts';

export function FrozenNote({ journey }: { readonly journey: Journey }) {
  const app = useApp();
  const [, go] = useLocation();
  const refused = useRefusal('write');
  const duplicate = useAct('duplicateJourney');
  const copy = () =>
    duplicate.mutate(
      { path: { appId: app.id, id: journey.id }, body: {} },
      {
        onSuccess: (made) => {
          rememberOriginal(made.id, journey.id);
          tellDone(words.copied(made.name));
          go(withParams(appPath(app.id, 'journeys', made.id), { of: journey.id }));
        },
        onError: (error) => tellError(error.message),
      },
    );
  return (
    <div className="journey-notes">
      <Note icon="lock">
        <div className="row-between">
          <span>{words.frozen}</span>
          <Button
            size="small"
            icon="copy"
            refused={refused}
            isBusy={duplicate.isPending}
            onClick={copy}
          >
            {words.copyToChange}
          </Button>
        </div>
      </Note>
    </div>
  );
}
