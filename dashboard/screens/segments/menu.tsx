// What else one can do with a segment: duplicate it, export its people, delete it.

import { useState } from 'react';
import { useLocation } from 'wouter';
import { hrefOf } from '../../api/client.ts';
import type { Segment } from '../../api/generated.ts';
import { useAct } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { appPath } from '../../ui/address.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { tellDone, tellError } from '../../ui/toast.tsx';
import { UsesList, useSegmentUses } from './uses.tsx';
import { words } from './words.ts';

export function SegmentMenu({
  segment,
  onRemoved,
}: {
  readonly segment: Segment;
  /** Before its editor is left. */
  readonly onRemoved: () => void;
}) {
  const app = useApp();
  const [, go] = useLocation();
  const refused = useRefusal('write');
  const [isAsking, setAsking] = useState(false);
  const duplicate = useAct('duplicateSegment');
  const remove = useAct('deleteSegment');
  const path = { appId: app.id, id: segment.id };
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
                    go(appPath(app.id, 'segments', made.id));
                  },
                  onError: (error) => tellError(error.message),
                },
              ),
          },
          {
            label: words.exportCsv,
            icon: 'download',
            onChoose: () =>
              location.assign(
                hrefOf('exportSubscribers', {
                  path: { appId: app.id },
                  query: { segmentId: segment.id },
                }),
              ),
          },
          { line: 'danger' },
          {
            label: words.remove,
            icon: 'trash',
            isDanger: true,
            refused,
            onChoose: () => setAsking(true),
          },
        ]}
      />
      <Confirm
        title={words.removeTitle(segment.name)}
        action={words.remove}
        isOpen={isAsking}
        isBusy={remove.isPending}
        error={remove.error?.message}
        onClose={() => {
          setAsking(false);
          remove.reset();
        }}
        onConfirm={() =>
          remove.mutate(
            { path, base: segment },
            {
              onSuccess: () => {
                tellDone(words.removed(segment.name));
                onRemoved();
                go(appPath(app.id, 'segments'));
              },
            },
          )
        }
      >
        <Breaks id={segment.id} />
      </Confirm>
    </>
  );
}

/** What breaks without the segment, or that nothing does. */
function Breaks({ id }: { readonly id: string }) {
  const { data } = useSegmentUses(id);
  if (data === undefined || data.items.length === 0) return words.removeText;
  return (
    <>
      <p>{words.removeBreaks}</p>
      <UsesList items={data.items} />
    </>
  );
}
