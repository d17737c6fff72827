// Who may sign in, with their role, and whether they are signed in now.

import type { Member } from '../../api/generated.ts';
import { useList } from '../../api/queries.ts';
import { useRefusal, useSession } from '../../api/session-context.tsx';
import { type Action, actionsOn, removing } from '../../kit/action.ts';
import { actionsColumn } from '../../kit/actions-column.tsx';
import { SearchParam, useSearchQuery } from '../../kit/params.tsx';
import { Badge, Chip } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/note.tsx';
import { useCursorRows } from '../../ui/rows.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { counted } from '../../words/counted.ts';
import { ChangeRole } from './add-member.tsx';
import { words } from './words.ts';

const text = words.member;

export function Members({ onAdd }: { readonly onAdd: () => void }) {
  const refused = useRefusal('admin');
  const query = { ...useSearchQuery(), order: 'oldest' } as const;
  const rows = useCursorRows<Member>(useList('listMembers', { query }));
  return (
    <>
      <div className="row">
        <SearchParam label={words.search.members} />
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
    </>
  );
}

const changeRole: Action<Member> = {
  id: 'change',
  label: text.change,
  icon: 'edit',
  needs: 'admin',
  why: ({ id }, session) => (id === session.member?.id ? text.own : undefined),
  dialog: (member, onClose) => <ChangeRole member={member} onClose={onClose} />,
};

const remove = actionsOn<Member>()({
  ...removing(text.remove, 'admin'),
  confirm: ({ email }) => ({
    title: text.removeTitle(email),
    text: text.removeText,
    typed: email,
  }),
  operation: 'removeMember',
  args: (one) => ({ path: { id: one.id }, base: one }),
  done: ({ email }) => text.removed(email),
});

const columns: readonly Column<Member>[] = [
  { id: 'email', head: text.email, narrow: 'title', cell: (one) => <Email one={one} /> },
  {
    id: 'role',
    head: text.role,
    width: '110px',
    narrow: 'sub',
    cell: (one) => (
      <Badge tone={one.role === 'owner' ? 'accent' : 'off'}>{words.roles[one.role].label}</Badge>
    ),
  },
  { id: 'seen', head: text.seen, width: '140px', cell: (one) => <SignedIn one={one} /> },
  { id: 'added', head: text.added, width: '130px', cell: (one) => <Time at={one.createdAt} /> },
  actionsColumn(({ email }) => text.actions(email), [changeRole, remove], {
    width: '40px',
    narrow: 'side',
  }),
];

function Email({ one }: { readonly one: Member }) {
  const { session } = useSession();
  return (
    <>
      {one.email} {one.id === session.member?.id && <Chip>{text.you}</Chip>}
      {one.invited && <Chip>{text.invited}</Chip>}
    </>
  );
}

function SignedIn({ one }: { readonly one: Member }) {
  const signIns = useList('listOrgSessions', { query: {} }).items ?? [];
  const own = signIns.filter(({ member }) => member?.id === one.id);
  if (own.length > 0) return text.signIns(own.length);
  return <span className="soft">{one.invited ? text.notYet : text.notNow}</span>;
}
