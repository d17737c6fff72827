// Who may sign in, with their role, and whether they are signed in now.

import { useState } from 'react';
import type { Member } from '../../api/generated.ts';
import { useAct, useList } from '../../api/queries.ts';
import { useRefusal, useSession } from '../../api/session-context.tsx';
import { useQueryParam } from '../../ui/address.ts';
import { Badge, Chip } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { SearchBox } from '../../ui/input.tsx';
import { Empty } from '../../ui/note.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { useCursorRows } from '../../ui/rows.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { tellDone } from '../../ui/toast.tsx';
import { counted } from '../../words/counted.ts';
import { ChangeRole } from './add-member.tsx';
import { words } from './words.ts';

const text = words.member;
type Doing = { readonly what: 'change' | 'remove'; readonly member: Member };

export function Members({ onAdd }: { readonly onAdd: () => void }) {
  const [q, setQ] = useQueryParam('q');
  const refused = useRefusal('admin');
  const { session } = useSession();
  const list = useList('listMembers', {
    query: { order: 'oldest', ...(q === undefined ? {} : { q }) },
  });
  const signIns = useList('listOrgSessions', { query: {} }).items ?? [];
  const rows = useCursorRows<Member>(list);
  const [doing, setDoing] = useState<Doing>();
  const columns: readonly Column<Member>[] = [
    {
      id: 'email',
      head: text.email,
      narrow: 'title',
      cell: (one) => (
        <>
          {one.email} {one.id === session.member?.id && <Chip>{text.you}</Chip>}
          {one.invited && <Chip>{text.invited}</Chip>}
        </>
      ),
    },
    {
      id: 'role',
      head: text.role,
      width: '110px',
      narrow: 'sub',
      cell: (one) => (
        <Badge tone={one.role === 'owner' ? 'accent' : 'off'}>{words.roles[one.role].label}</Badge>
      ),
    },
    {
      id: 'seen',
      head: text.seen,
      width: '140px',
      cell: (one) => {
        const own = signIns.filter(({ member }) => member?.id === one.id);
        if (own.length === 0)
          return <span className="soft">{one.invited ? text.notYet : text.notNow}</span>;
        return text.signIns(own.length);
      },
    },
    { id: 'added', head: text.added, width: '130px', cell: (one) => <Time at={one.createdAt} /> },
    {
      id: 'actions',
      head: '',
      width: '40px',
      narrow: 'side',
      cell: (member) => (
        <RowMenu
          label={text.actions(member.email)}
          items={[
            {
              label: text.change,
              icon: 'edit',
              refused: refused ?? (member.id === session.member?.id ? text.own : undefined),
              onChoose: () => setDoing({ what: 'change', member }),
            },
            {
              label: text.remove,
              icon: 'trash',
              isDanger: true,
              refused,
              onChoose: () => setDoing({ what: 'remove', member }),
            },
          ]}
        />
      ),
    },
  ];
  const close = () => setDoing(undefined);
  return (
    <>
      <div className="row">
        <SearchBox label={words.search.members} value={q ?? ''} onChange={setQ} />
      </div>
      <Table
        label={words.tabs.members}
        counted={counted.members}
        rows={rows}
        columns={columns}
        keyOf={(one) => one.id}
        empty={
          <Empty
            icon="team"
            title={text.empty}
            action={
              <Button refused={refused} onClick={onAdd}>
                {text.add}
              </Button>
            }
            curl={`curl ${location.origin}/v1/org/members -H "authorization: Bearer $ENGAGE_KEY" --json '{"email":"ada@example.com","role":"editor"}'`}
          >
            {text.emptyText}
          </Empty>
        }
      />
      {doing?.what === 'change' && <ChangeRole member={doing.member} onClose={close} />}
      {doing?.what === 'remove' && <RemoveMember member={doing.member} onClose={close} />}
    </>
  );
}

function RemoveMember({
  member,
  onClose,
}: {
  readonly member: Member;
  readonly onClose: () => void;
}) {
  const remove = useAct('removeMember');
  return (
    <Confirm
      isOpen
      title={text.removeTitle(member.email)}
      action={text.remove}
      typed={member.email}
      isBusy={remove.isPending}
      error={remove.error?.message}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(
          { path: { id: member.id }, base: member },
          {
            onSuccess: () => {
              tellDone(text.removed(member.email));
              onClose();
            },
          },
        )
      }
    >
      {text.removeText}
    </Confirm>
  );
}
