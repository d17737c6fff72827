// Leaves the open org, or declines the invitation of another, once its person confirms.

import { useAct } from '../api/queries.ts';
import { useSession } from '../api/session-context.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { tellDone } from '../ui/toast.tsx';
import { leavingWords } from '../words/leaving.ts';

const text = leavingWords;

export interface Ending {
  readonly org: { readonly id: string; readonly name: string };
  readonly isInvitation?: true;
}

export function LeaveOrg({
  org,
  isInvitation = false,
  onClose,
}: {
  readonly org: Ending['org'];
  readonly isInvitation?: boolean;
  readonly onClose: () => void;
}) {
  const { leave, reload } = useSession();
  const act = useAct('leaveOrg');
  return (
    <Confirm
      isOpen
      title={isInvitation ? text.declineTitle(org.name) : text.title(org.name)}
      action={isInvitation ? text.decline : text.action}
      isBusy={act.isPending}
      error={act.error?.message}
      onClose={onClose}
      onConfirm={() =>
        act.mutate(
          { path: { org: org.id } },
          {
            onSuccess: () => {
              tellDone(isInvitation ? text.declined(org.name) : text.done(org.name));
              onClose();
              if (isInvitation) void reload();
              else leave(); // the session has ended, and nothing of the org stays in the page
            },
          },
        )
      }
    >
      {isInvitation ? text.declineText : text.text}
    </Confirm>
  );
}
