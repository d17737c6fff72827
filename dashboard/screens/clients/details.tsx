// One client: what it used this month, and the ways into its workspace.

import { Link } from 'wouter';
import type { ClientWorkspace } from '../../api/generated.ts';
import { mayOpen, useSession } from '../../api/session-context.tsx';
import { ActionButton } from '../../kit/action-view.tsx';
import { orgPath } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { Copyable } from '../../ui/code.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { count, Facts } from '../../ui/figure.tsx';
import { Time } from '../../ui/time.tsx';
import { openClient } from './actions.ts';
import { words } from './words.ts';

const text = words.details;

export function ClientDetails({
  one,
  refused,
  onDelete,
  onClose,
}: {
  readonly one: ClientWorkspace | undefined;
  readonly refused: string | undefined;
  readonly onDelete: (one: ClientWorkspace) => void;
  readonly onClose: () => void;
}) {
  const { session } = useSession();
  return (
    <Dialog
      kind="drawer"
      title={one?.name ?? ''}
      isOpen={one !== undefined}
      onClose={onClose}
      foot={
        one !== undefined && (
          <>
            <Button kind="danger" refused={refused} onClick={() => onDelete(one)}>
              {words.delete}
            </Button>
            <ActionButton action={openClient} thing={one} kind="primary">
              {words.open}
            </ActionButton>
          </>
        )
      }
    >
      {one !== undefined && (
        <div className="stack">
          <h3>{words.thisMonth}</h3>
          <Facts items={usageOf(one)} />
          <p>
            <Link to={orgPath('billing')}>{words.invoice}</Link>
          </p>
          <h3>{text.workspace}</h3>
          <Facts
            items={[
              [words.created, <Time key="created" at={one.createdAt} />],
              [words.id, <Copyable key="id" text={one.id} />],
            ]}
          />
          <p className="soft">{mayOpen(session, one.id) ? text.member : text.stranger}</p>
        </div>
      )}
    </Dialog>
  );
}

function usageOf({ usage: { mau, emails } }: ClientWorkspace) {
  const { delivered, included, overage } = emails;
  return [
    [words.mau, count(mau)],
    [
      words.emails,
      included === null ? count(delivered) : text.ofIncluded(count(delivered), count(included)),
    ],
    [words.beyond, count(overage)],
  ] as const;
}
