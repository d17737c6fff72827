// Creates a client workspace, adds its first owners with its own key, and shows that key once.

import { type FormEvent, useState } from 'react';
import { send } from '../../api/client.ts';
import { asApiError } from '../../api/errors.ts';
import { useSecretAct } from '../../api/secret-act.ts';
import { askForLink } from '../../api/session.ts';
import { mayOpen, useSession } from '../../api/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Check } from '../../ui/choices.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { ErrorNote, Note } from '../../ui/note.tsx';
import { SecretDialog } from '../../ui/secret.tsx';
import { words as common } from '../../words/en.ts';
import { openOrg } from './open-org.ts';
import { words } from './words.ts';

const form = 'create-client';

interface Made {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  /** Who could not be added, and why. */
  readonly problems: readonly string[];
  /** Who was mailed a sign-in link. */
  readonly invited: string | undefined;
}

export function CreateClient({ onClose }: { readonly onClose: () => void }) {
  const { session, reload } = useSession();
  const ownEmail = session.member?.email;
  const [name, setName] = useState('');
  const [joins, setJoins] = useState(ownEmail !== undefined);
  const [invited, setInvited] = useState('');
  const [isAdding, setAdding] = useState(false);
  const [made, setMade] = useState<Made>();
  const create = useSecretAct('createClient');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const emails = [...(joins && ownEmail !== undefined ? [ownEmail] : []), invited.trim()];
    create.run({ body: { name: name.trim() } }, ({ org, apiKey }) => {
      setAdding(true);
      void addOwners(apiKey.key, emails.filter(Boolean))
        .then((problems) => invite(invited.trim(), problems))
        .then(async (outcome) => {
          await reload();
          setMade({ id: org.id, name: org.name, key: apiKey.key, ...outcome });
        });
    });
  };
  if (made !== undefined) return <MadeClient made={made} onClose={onClose} />;
  const atField = create.error?.of('name');
  return (
    <Dialog
      title={words.createTitle}
      isOpen
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{common.dialog.cancel}</Button>
          <Button kind="primary" type="submit" form={form} isBusy={create.isPending || isAdding}>
            {words.create}
          </Button>
        </>
      }
    >
      <form id={form} className="stack" onSubmit={submit}>
        <p className="soft">{words.isolation}</p>
        <Field label={words.nameLabel} hint={words.nameHint} error={atField}>
          <TextInput required value={name} onChange={setName} />
        </Field>
        {ownEmail !== undefined && (
          <Check isChecked={joins} onChange={setJoins}>
            {words.join} <span className="soft">{words.joinHint(ownEmail)}</span>
          </Check>
        )}
        <Field label={words.invite} hint={words.inviteHint} isOptional>
          <TextInput type="email" value={invited} onChange={setInvited} />
        </Field>
        {create.error !== undefined && atField === undefined && <ErrorNote error={create.error} />}
      </form>
    </Dialog>
  );
}

/** With the workspace's own key: nobody of the parent may do anything in it. */
async function addOwners(key: string, emails: readonly string[]): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const email of emails)
    try {
      const headers = { authorization: `Bearer ${key}` };
      await send('POST', '/v1/org/members', { body: { email, role: 'owner' }, headers });
    } catch (failure) {
      problems.push(words.memberFailed(email, asApiError(failure).message));
    }
  return problems;
}

/** Mails the invited owner a link, unless something went wrong before. */
async function invite(
  email: string,
  problems: readonly string[],
): Promise<Pick<Made, 'problems' | 'invited'>> {
  if (email === '' || problems.length > 0) return { problems, invited: undefined };
  try {
    await askForLink(email);
    return { problems, invited: email };
  } catch (failure) {
    return { problems: [words.mailFailed(email, asApiError(failure).message)], invited: undefined };
  }
}

function MadeClient({ made, onClose }: { readonly made: Made; readonly onClose: () => void }) {
  const { session } = useSession();
  const isMember = mayOpen(session, made.id);
  const byKey = session.member === undefined ? { apiKey: made.key } : undefined;
  const proof = isMember ? { org: made.id } : byKey;
  const next = {
    label: isMember ? words.open : words.openByKey,
    run: () => proof && void openOrg(proof),
  };
  return (
    <SecretDialog
      title={words.madeTitle(made.name)}
      lines={[
        { label: words.key, text: made.key },
        { label: words.env, text: `ENGAGE_URL=${location.origin}\nENGAGE_KEY=${made.key}` },
      ]}
      onClose={onClose}
      {...(proof === undefined ? {} : { next })}
    >
      <p className="soft">
        {words.keyHint} {byKey !== undefined && words.byKeyHint}
      </p>
      {made.invited !== undefined && <Note tone="good">{words.invited(made.invited)}</Note>}
      {made.problems.map((problem) => (
        <Note key={problem} tone="bad">
          {problem}
        </Note>
      ))}
    </SecretDialog>
  );
}
