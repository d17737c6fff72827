// Asks for a fresh sign-in above the screen. The screen below keeps what was typed.

import { type FormEvent, useEffect, useRef, useState } from 'react';
import { type ApiError, asApiError } from '../api/errors.ts';
import { askForLink, readSession, signIn } from '../api/session.ts';
import { useSession } from '../api/session-context.tsx';
import { onSignInAgain } from '../api/sign-in-again.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { TextInput } from '../ui/input.tsx';
import { Note } from '../ui/note.tsx';
import { tellDone } from '../ui/toast.tsx';
import { words } from '../words/en.ts';

const text = words.signInAgain;
const lookEveryMs = 2_000;

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
      {email === undefined ? <ByKey onDone={close} /> : <ByLink email={email} onDone={close} />}
    </Dialog>
  );
}

function ByLink({ email, onDone }: { readonly email: string; readonly onDone: () => void }) {
  const [isSent, setSent] = useState(false);
  const [error, setError] = useState<ApiError>();
  useFreshSession(isSent, onDone);
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

/** The link opens in another tab of this browser; its session is then this tab's too. */
function useFreshSession(isWaiting: boolean, onDone: () => void): void {
  const { session, reload } = useSession();
  const done = useRef(onDone);
  done.current = onDone;
  useEffect(() => {
    if (!isWaiting) return undefined;
    const look = async () => {
      const now = await readSession().catch(() => undefined);
      if (now?.signedIn !== true || now.id === session.id) return;
      clearInterval(timer);
      done.current();
      tellDone(text.done);
      void reload();
    };
    const timer = setInterval(() => document.hidden || void look(), lookEveryMs);
    return () => clearInterval(timer);
  }, [isWaiting, session.id, reload]);
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
        <TextInput type="password" required value={apiKey} onChange={setKey} />
      </Field>
      <div className="row">
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {words.signIn.go}
        </Button>
      </div>
    </form>
  );
}
