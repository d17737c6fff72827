// Identity verification, and the secret that a server proves people with.

import { useState } from 'react';
import { useSecretAct } from '../../api/secret-act.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Check, RadioCards } from '../../ui/choices.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { SecretDialog } from '../../ui/secret.tsx';
import { Section } from '../../ui/section.tsx';
import type { PartProps } from './form.ts';
import { words } from './words.ts';

const text = words.identity;
const modes = ['required', 'first-use', 'open'] as const;
const choices = modes.map((value) => ({ value, ...text.modes[value] }));
const code = `import { createHmac } from 'node:crypto';
const identityHash = createHmac('sha256', process.env.ENGAGE_IDENTITY_SECRET)
  .update(externalUserId)
  .digest('hex');`;

export function Identity({ draft, change, errorOf }: PartProps) {
  const refused = useRefusal('admin');
  const error = errorOf('identityVerification');
  const [isAsking, setAsking] = useState(false);
  return (
    <Section id="identity" title={text.title} intro={text.intro}>
      <RadioCards
        label={text.mode}
        choices={choices}
        value={draft.identityVerification}
        onChange={(mode) => change({ identityVerification: mode })}
      />
      {error !== undefined && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
      <div className="row">
        <Button icon="key" refused={refused} onClick={() => setAsking(true)}>
          {text.secret}
        </Button>
      </div>
      {isAsking && <MakeSecret onClose={() => setAsking(false)} />}
    </Section>
  );
}

function MakeSecret({ onClose }: { readonly onClose: () => void }) {
  const app = useApp();
  const [ends, setEnds] = useState(false);
  const [secret, setSecret] = useState<string>();
  const create = useSecretAct('createIdentitySecret');
  if (secret !== undefined)
    return (
      <SecretDialog
        title={text.shownTitle}
        lines={[
          { label: text.line, text: secret },
          { label: text.env, text: `ENGAGE_IDENTITY_SECRET=${secret}` },
          { label: text.codeTitle, text: code },
        ]}
        onClose={onClose}
      >
        <p className="soft">{text.keep}</p>
      </SecretDialog>
    );
  return (
    <Confirm
      isOpen
      title={text.askTitle}
      action={text.secret}
      isBusy={create.isPending}
      error={create.error?.message}
      onClose={onClose}
      onConfirm={() =>
        create.run(
          { path: { appId: app.id }, query: { endClientTokens: ends ? 'true' : 'false' } },
          (answer) => setSecret(answer.secret),
        )
      }
    >
      <div className="stack">
        <p>{text.again}</p>
        <p>{text.first}</p>
        <Check isChecked={ends} onChange={setEnds}>
          {text.ends}
        </Check>
      </div>
    </Confirm>
  );
}
