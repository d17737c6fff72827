// Signing in: by an emailed link, by an API key, by the link that a sandbox prints, and the first
// org of a new server.

import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { send } from '../api/client.ts';
import { type ApiError, asApiError } from '../api/errors.ts';
import { askForLink, type Proof, type ReadLink, type SignedOut, signIn } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { RadioCards } from '../ui/choices.tsx';
import { Field } from '../ui/field.tsx';
import { TextInput } from '../ui/input.tsx';
import { ErrorNote, Note } from '../ui/note.tsx';
import { words } from '../words/en.ts';
import { Logo } from './logo.tsx';

const text = words.signIn;

interface SignInProps {
  readonly state: SignedOut;
  /** Why it shows: the session ended, or a link was used up. */
  readonly notice: string | undefined;
  readonly onSignedIn: () => void;
}

export function SignIn({ state, notice, onSignedIn }: SignInProps) {
  const [way, setWay] = useState<'email' | 'key'>('email');
  if (state.setup) return <SetUp onSignedIn={onSignedIn} />;
  return (
    <Door title={text.title}>
      {notice !== undefined && <Note tone="notice">{notice}</Note>}
      {way === 'email' ? (
        <ByEmail isSandbox={state.mode === 'sandbox'} />
      ) : (
        <ByKey onSignedIn={onSignedIn} />
      )}
      <Button kind="quiet" onClick={() => setWay(way === 'email' ? 'key' : 'email')}>
        {way === 'email' ? text.withKey : text.withEmail}
      </Button>
    </Door>
  );
}

/** After an emailed link was opened: who signs in where, before the button. */
export function SignInByLink({
  email,
  org,
  orgs,
  token,
  onSignedIn,
}: {
  readonly email: string;
  readonly org: string;
  /** To choose from, and nothing chosen for them; empty if `org` is the one. */
  readonly orgs: ReadLink['orgs'];
  readonly token: string;
  readonly onSignedIn: () => void;
}) {
  const act = useProof(onSignedIn);
  const [chosen, setChosen] = useState<string>();
  if (orgs.length > 0)
    return (
      <Door title={text.which}>
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            if (chosen !== undefined) act.run({ link: token, org: chosen });
          }}
        >
          <p>{text.whichText(email)}</p>
          <RadioCards
            label={text.org}
            choices={orgs.map(({ id, name, invited }) => ({
              value: id,
              label: name,
              ...(invited ? { hint: text.invited } : {}),
            }))}
            value={chosen}
            onChange={setChosen}
          />
          {act.error !== undefined && <ErrorNote error={act.error} />}
          <Button
            kind="primary"
            type="submit"
            isBusy={act.isBusy}
            refused={chosen === undefined ? text.chooseFirst : undefined}
          >
            {text.go}
          </Button>
        </form>
      </Door>
    );
  return (
    <Door title={text.to(org)}>
      <p>{text.as(email, org)}</p>
      {act.error !== undefined && <ErrorNote error={act.error} />}
      <Button kind="primary" isBusy={act.isBusy} onClick={() => act.run({ link: token })} autoFocus>
        {text.go}
      </Button>
    </Door>
  );
}

function ByEmail({ isSandbox }: { readonly isSandbox: boolean }) {
  const [email, setEmail] = useState('');
  const [isSent, setSent] = useState(false);
  const [error, setError] = useState<ApiError>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setError(undefined);
    askForLink(email).then(
      () => setSent(true),
      (failure: unknown) => setError(asApiError(failure)),
    );
  };
  if (isSent)
    return (
      <Note tone="good">
        {text.sent} {isSandbox && text.sentSandbox}
      </Note>
    );
  return (
    <form className="stack" onSubmit={submit}>
      <Field label={text.email} hint={text.emailHint} error={error?.of('email')}>
        <TextInput
          type="email"
          autoComplete="username"
          required
          autoFocus
          value={email}
          onChange={setEmail}
        />
      </Field>
      {error !== undefined && error.of('email') === undefined && <ErrorNote error={error} />}
      <Button kind="primary" type="submit">
        {text.sendLink}
      </Button>
    </form>
  );
}

function ByKey({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const [apiKey, setKey] = useState('');
  const act = useProof(onSignedIn);
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        act.run({ apiKey: apiKey.trim() });
      }}
    >
      <Field label={text.key} hint={text.keyHint} error={act.error?.message}>
        <TextInput type="password" required autoFocus value={apiKey} onChange={setKey} />
      </Field>
      <Button kind="primary" type="submit" isBusy={act.isBusy}>
        {text.go}
      </Button>
    </form>
  );
}

/** The first org of a new server, its owner, and a session by the key that the answer has. */
function SetUp({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const [token, setToken] = useState('');
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [error, setError] = useState<ApiError>();
  const [isBusy, setBusy] = useState(false);
  /** The key of the org, once it is made: a second try must not make another org. */
  const made = useRef<string>(undefined);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      made.current ??= await makeOrg(token.trim(), name.trim());
      await signIn({ apiKey: made.current });
      await send('POST', '/v1/org/members', { body: { email: email.trim(), role: 'owner' } });
      onSignedIn();
    } catch (failure) {
      setError(asApiError(failure));
      setBusy(false);
    }
  };
  const wrongToken =
    error?.status === 401 && made.current === undefined ? text.tokenWrong : undefined;
  const isAtField =
    wrongToken !== undefined || (error?.of('name') ?? error?.of('email')) !== undefined;
  return (
    <Door title={text.setup}>
      <p className="soft">{text.setupText}</p>
      <form className="stack" onSubmit={(event) => void submit(event)}>
        <Field label={text.token} hint={text.tokenHint} error={wrongToken}>
          <TextInput type="password" required autoFocus value={token} onChange={setToken} />
        </Field>
        <Field label={text.org} error={error?.of('name')}>
          <TextInput required value={name} onChange={setName} />
        </Field>
        <Field label={text.owner} hint={text.ownerHint} error={error?.of('email')}>
          <TextInput type="email" required value={email} onChange={setEmail} />
        </Field>
        {error !== undefined && !isAtField && <ErrorNote error={error} />}
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {text.create}
        </Button>
      </form>
    </Door>
  );
}

/** Makes an org with the operator's token, and returns the org's first API key. */
async function makeOrg(token: string, name: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await send('POST', '/v1/orgs', { body: { name }, headers });
  const { apiKey } = (await answer.json()) as { readonly apiKey: { readonly key: string } };
  return apiKey.key;
}

function Door({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <main className="door">
      <div className="door-card">
        <Logo />
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}

function useProof(onSignedIn: () => void) {
  const [error, setError] = useState<ApiError>();
  const [isBusy, setBusy] = useState(false);
  const run = (proof: Proof) => {
    setBusy(true);
    setError(undefined);
    signIn(proof).then(onSignedIn, (failure: unknown) => {
      setError(asApiError(failure));
      setBusy(false);
    });
  };
  return { error, isBusy, run };
}
