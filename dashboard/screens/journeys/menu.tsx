// What else one can do with a journey: duplicate it, archive it, delete it.

import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Journey } from '../../api/generated.ts';
import { useAct } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { appPath } from '../../ui/address.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { forgetKept, keptKey } from '../../ui/kept-store.ts';
import { Menu } from '../../ui/menu.tsx';
import { tellDone, tellError } from '../../ui/toast.tsx';
import { useArchive } from './archive.ts';
import { words } from './words.ts';

export function JourneyMenu({ journey }: { readonly journey: Journey }) {
  const app = useApp();
  const [, go] = useLocation();
  const refused = useRefusal('write');
  const [isAsking, setAsking] = useState(false);
  const duplicate = useAct('duplicateJourney');
  const { archive, unarchive } = useArchive(journey);
  const remove = useAct('deleteJourney');
  const path = { appId: app.id, id: journey.id };
  return (
    <>
      <Menu
        trigger={
          <button type="button" className="button icon-only" aria-label={words.more}>
            <Icon name="more" />
          </button>
        }
        items={[
          {
            label: words.duplicate,
            icon: 'copy',
            refused,
            onChoose: () =>
              duplicate.mutate(
                { path, body: {} },
                {
                  onSuccess: (made) => {
                    tellDone(words.duplicated(made.name));
                    go(appPath(app.id, 'journeys', made.id));
                  },
                  onError: (error) => tellError(error.message),
                },
              ),
          },
          journey.archivedAt === null
            ? {
                label: words.archive,
                icon: 'inbox',
                refused: refused ?? (journey.active ? words.archiveLive : undefined),
                onChoose: archive,
              }
            : { label: words.unarchive, icon: 'inbox', refused, onChoose: unarchive },
          { line: 'danger' },
          {
            label: words.remove,
            icon: 'trash',
            isDanger: true,
            refused: refused ?? (journey.active ? words.removeLive : undefined),
            onChoose: () => setAsking(true),
          },
        ]}
      />
      <Confirm
        title={words.removeTitle(journey.name)}
        action={words.remove}
        typed={journey.name}
        isOpen={isAsking}
        isBusy={remove.isPending}
        error={remove.error?.message}
        onClose={() => {
          setAsking(false);
          remove.reset();
        }}
        onConfirm={() =>
          remove.mutate(
            { path, base: journey },
            {
              onSuccess: () => {
                forgetKept(keptKey('journey', app.id, journey.id));
                tellDone(words.removed(journey.name));
                go(appPath(app.id, 'journeys'));
              },
            },
          )
        }
      >
        {words.removeText}
      </Confirm>
    </>
  );
}
