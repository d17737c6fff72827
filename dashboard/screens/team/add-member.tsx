// Adds a member, or gives one another role.

import { type FormEvent, useState } from 'react';
import { asApiError } from '../../api/errors.ts';
import type { Member } from '../../api/generated.ts';
import { useAct } from '../../api/queries.ts';
import { askForLink } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { Check, RadioCards } from '../../ui/choices.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { ErrorNote } from '../../ui/note.tsx';
import { tellDone, tellError } from '../../ui/toast.tsx';
import { words as common } from '../../words/en.ts';
import { words } from './words.ts';

const text = words.member;
type MemberRole = Member['role'];
const roles = (['owner', 'editor', 'viewer'] as const satisfies readonly MemberRole[]).map(
  (value) => ({ value, ...words.roles[value] }),
);
const form = 'add-member';

export function AddMember({ onClose }: { readonly onClose: () => void }) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<MemberRole>('editor');
  const [isMailed, setMailed] = useState(true);
  const add = useAct('addMember');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate(
      { body: { email: email.trim(), role } },
      {
        onSuccess: (member) => {
          if (isMailed) void mailLink(member.email);
          else tellDone(text.added_(member.email));
          onClose();
        },
      },
    );
  };
  const atEmail = add.error?.of('email');
  return (
    <Dialog
      title={text.addTitle}
      isOpen
      onClose={onClose}
      foot={<Foot label={text.add} isBusy={add.isPending} onClose={onClose} />}
    >
      <form id={form} className="stack" onSubmit={submit}>
        <Field label={text.email} hint={text.addHint} error={atEmail}>
          <TextInput type="email" required value={email} onChange={setEmail} />
        </Field>
        <RadioCards label={text.role} choices={roles} value={role} onChange={setRole} />
        <Check isChecked={isMailed} onChange={setMailed}>
          {text.mail} <span className="soft">{text.mailHint}</span>
        </Check>
        {add.error !== undefined && atEmail === undefined && <ErrorNote error={add.error} />}
      </form>
    </Dialog>
  );
}

async function mailLink(email: string): Promise<void> {
  try {
    await askForLink(email);
    tellDone(text.mailed(email));
  } catch (failure) {
    tellError(text.notMailed(email, asApiError(failure).message));
  }
}

export function ChangeRole({
  member,
  onClose,
}: {
  readonly member: Member;
  readonly onClose: () => void;
}) {
  const { id, email } = member;
  const [base] = useState(member);
  const [role, setRole] = useState<MemberRole>(member.role);
  const update = useAct('updateMember');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    update.mutate(
      { path: { id }, body: { role }, base },
      {
        onGivenUp: onClose,
        onSuccess: () => {
          tellDone(text.changed(email, words.roles[role].label));
          onClose();
        },
      },
    );
  };
  return (
    <Dialog
      title={text.changeTitle(email)}
      isOpen
      onClose={onClose}
      foot={<Foot label={common.dialog.save} isBusy={update.isPending} onClose={onClose} />}
    >
      <form id={form} className="stack" onSubmit={submit}>
        <RadioCards label={text.role} choices={roles} value={role} onChange={setRole} />
        <p className="soft">{text.changeHint}</p>
        {update.error !== undefined && <ErrorNote error={update.error} />}
      </form>
    </Dialog>
  );
}

function Foot({
  label,
  isBusy,
  onClose,
}: {
  readonly label: string;
  readonly isBusy: boolean;
  readonly onClose: () => void;
}) {
  return (
    <>
      <Button onClick={onClose}>{common.dialog.cancel}</Button>
      <Button kind="primary" type="submit" form={form} isBusy={isBusy}>
        {label}
      </Button>
    </>
  );
}
