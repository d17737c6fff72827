// Creates a client workspace, adds its first owners with its own key, and shows that key once.

import { type FormEvent, useState } from 'react';
import { send } from '../../api/client.ts';
import { asApiError } from '../../api/errors.ts';
import { useSecretAct } from '../../api/secret-act.ts';
import { useSession } from '../../frame/session-context.tsx';
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
}

export function CreateClient({ onClose }: { readonly onClose: () => void }) {
  const { session, reload } = useSession();
  const ownEmail = session.member?.email;
  const [name, setName] = useState('');
  const [joins, setJoins] = useState(ownEmail !== undefined);
  const [invited, setInvited] = useState('');
  const [isAdding, setAdding] = useState(false);
  const [made, setMade] = useState<Made>();
  const create = useSecretAct('createClient', ['listClients', 'readUsage']);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const emails = [...(joins && ownEmail !== undefined ? [ownEmail] : []), invited.trim()];
    create.run({ body: { name: name.trim() } }, ({ org, apiKey }) => {
      setAdding(true);
      void addOwners(apiKey.key, emails.filter(Boolean)).then(async (problems) => {
        await reload();
        setMade({ id: org.id, name: org.name, key: apiKey.key, problems });
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
          <TextInput required autoFocus value={name} onChange={setName} />
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

function MadeClient({ made, onClose }: { readonly made: Made; readonly onClose: () => void }) {
  const { session } = useSession();
  const isMember = session.orgs.some(({ id }) => id === made.id);
  return (
    <SecretDialog
      title={words.madeTitle(made.name)}
      lines={[
        { label: words.key, text: made.key },
        { label: words.env, text: `ENGAGE_URL=${location.origin}\nENGAGE_KEY=${made.key}` },
      ]}
      onClose={onClose}
      {...(isMember ? { next: { label: words.open, run: () => void openOrg(made.id) } } : {})}
    >
      <p className="soft">{words.keyHint}</p>
      {made.problems.map((problem) => (
        <Note key={problem} tone="bad">
          {problem}
        </Note>
      ))}
    </SecretDialog>
  );
}
