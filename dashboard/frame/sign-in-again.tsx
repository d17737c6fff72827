// Asks for a fresh sign-in above the screen. The screen below keeps what was typed.

import { type FormEvent, useEffect, useState } from 'react';
import { type ApiError, asApiError } from '../api/errors.ts';
import { askForLink, signIn } from '../api/session.ts';
import { onSignInAgain } from '../api/sign-in-again.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { TextInput } from '../ui/input.tsx';
import { Note } from '../ui/note.tsx';
import { tellDone } from '../ui/toast.tsx';
import { words } from '../words/en.ts';
import { useSession } from './session-context.tsx';

const text = words.signInAgain;

export function SignInAgain() {
  const [isOpen, setOpen] = useState(false);
  const { session } = useSession();
  useEffect(() => onSignInAgain(() => setOpen(true)), []);
  if (!isOpen) return null;
  const close = () => setOpen(false);
  const email = session.member?.email;
  return (
    <Dialog title={text.title} isOpen onClose={close}>
      <p>{text.why}</p>
      {email === undefined ? <ByKey onDone={close} /> : <ByLink email={email} />}
    </Dialog>
  );
}

function ByLink({ email }: { readonly email: string }) {
  const [isSent, setSent] = useState(false);
  const [error, setError] = useState<ApiError>();
  if (isSent) return <Note tone="good">{text.sent}</Note>;
  return (
    <>
      <p>{text.byLink(email)}</p>
      {error !== undefined && <Note tone="bad">{error.message}</Note>}
      <div className="row">
        <Button
          kind="primary"
          autoFocus
          onClick={() =>
            askForLink(email).then(
              () => setSent(true),
              (failure: unknown) => setError(asApiError(failure)),
            )
          }
        >
          {words.signIn.sendLink}
        </Button>
      </div>
    </>
  );
}

function ByKey({ onDone }: { readonly onDone: () => void }) {
  const { reload } = useSession();
  const [apiKey, setKey] = useState('');
  const [error, setError] = useState<ApiError>();
  const [isBusy, setBusy] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    signIn({ apiKey: apiKey.trim() }).then(
      () => {
        onDone();
        tellDone(text.done);
        void reload();
      },
      (failure: unknown) => {
        setError(asApiError(failure));
        setBusy(false);
      },
    );
  };
  return (
    <form className="stack" onSubmit={submit}>
      <Field label={words.signIn.key} hint={text.byKey} error={error?.message}>
        <TextInput type="password" required autoFocus value={apiKey} onChange={setKey} />
      </Field>
      <div className="row">
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {words.signIn.go}
        </Button>
      </div>
    </form>
  );
}
