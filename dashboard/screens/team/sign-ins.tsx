// Who is signed in now, and ending a sign-in.

import { useState } from 'react';
import type { OrgSession } from '../../api/generated.ts';
import { useAct, useList } from '../../api/queries.ts';
import { useRefusal, useSession } from '../../api/session-context.tsx';
import { Chip } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Empty } from '../../ui/note.tsx';
import { useCursorRows } from '../../ui/rows.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { tellDone } from '../../ui/toast.tsx';
import { counted } from '../../words/counted.ts';
import { words } from './words.ts';

const text = words.signIn;

export function SignIns() {
  const refused = useRefusal('admin');
  const rows = useCursorRows<OrgSession>(
    useList('listOrgSessions', { query: { order: 'newest' } }),
  );
  const [ending, setEnding] = useState<OrgSession>();
  const columns: readonly Column<OrgSession>[] = [
    {
      id: 'who',
      head: text.who,
      narrow: 'title',
      cell: whoOf,
    },
    { id: 'since', head: text.since, width: '140px', cell: (one) => <Time at={one.signedInAt} /> },
    {
      id: 'seen',
      head: text.seen,
      width: '140px',
      narrow: 'sub',
      cell: (one) => (one.current ? <Chip>{text.current}</Chip> : <Time at={one.lastSeenAt} />),
    },
    { id: 'until', head: text.until, width: '160px', cell: (one) => <Time at={one.expiresAt} /> },
    {
      id: 'end',
      head: '',
      width: '70px',
      narrow: 'side',
      cell: (one) => (
        <Button size="small" refused={refused} onClick={() => setEnding(one)}>
          {text.end}
        </Button>
      ),
    },
  ];
  return (
    <>
      <Table
        label={words.tabs.signIns}
        counted={counted.signIns}
        rows={rows}
        columns={columns}
        keyOf={(one) => one.id}
        empty={<Empty icon="team" title={text.empty} />}
      />
      {ending !== undefined && <EndSignIn one={ending} onClose={() => setEnding(undefined)} />}
    </>
  );
}

function EndSignIn({ one, onClose }: { readonly one: OrgSession; readonly onClose: () => void }) {
  const { leave } = useSession();
  const end = useAct('endOrgSession');
  return (
    <Confirm
      isOpen
      title={text.endTitle}
      action={text.end}
      isBusy={end.isPending}
      error={end.error?.message}
      onClose={onClose}
      onConfirm={() => {
        if (one.current) return leave();
        end.mutate(
          { path: { id: one.id } },
          {
            onSuccess: () => {
              tellDone(text.ended);
              onClose();
            },
          },
        );
      }}
    >
      {text.endText(whoOf(one))}
    </Confirm>
  );
}

function whoOf({ member, key }: OrgSession): string {
  return member?.email ?? text.key(key?.name ?? '–');
}
