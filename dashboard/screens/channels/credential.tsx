// The stored credential of a channel: when it changed, replacing it, removing it.

import { useState } from 'react';
import type { Channel, WebhookRegistration } from '../../api/generated.ts';
import type { Version } from '../../api/saves.ts';
import { useRefusal } from '../../api/session-context.tsx';
import { actionsOn } from '../../kit/action.ts';
import { ActionButton } from '../../kit/action-view.tsx';
import { Button } from '../../ui/button.tsx';
import { Copyable } from '../../ui/code.tsx';
import { Facts } from '../../ui/figure.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ErrorNote, Grey } from '../../ui/note.tsx';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';
import { tellDone } from '../../ui/toast.tsx';
import { CheckNow } from './check.tsx';
import { CredentialFormView } from './credential-form.tsx';
import { forms } from './forms/all.ts';
import type { CredentialName } from './forms/form.ts';
import type { useChannels } from './use-channels.ts';
import { words } from './words.ts';

const text = words.credential;

export function CredentialSection({
  channel,
  credential,
  channels,
  onRegistered,
}: {
  readonly channel: Channel;
  readonly credential: CredentialName;
  readonly channels: ReturnType<typeof useChannels>;
  readonly onRegistered: (registration: WebhookRegistration | undefined) => void;
}) {
  const refused = useRefusal('admin');
  const form = forms[credential];
  const [isReplacing, setReplacing] = useState(false);
  const { credentials, isAdmin } = channels;
  const stored = credentials.data?.items.find((one) => one.channel === credential);
  const intro = (
    <>
      <p>{text.never}</p>
      {credential === 'carrier' && <p>{text.shared}</p>}
    </>
  );
  return (
    <Section title={text.title} intro={intro} aside={<WhereToFind form={form} />}>
      {!isAdmin ? (
        <p className="soft">{refused}</p>
      ) : credentials.error !== undefined ? (
        <ErrorNote error={credentials.error} onAgain={() => void credentials.refetch()} />
      ) : credentials.data === undefined ? (
        <Grey rows={3} />
      ) : stored !== undefined && !isReplacing ? (
        <>
          <Facts
            items={[
              [text.changed, <Time key="at" at={stored.updatedAt} />],
              [text.version, <Copyable key="print" text={stored.fingerprint} />],
            ]}
          />
          <CheckNow channel={credential} />
          <div className="row">
            <Button icon="refresh" onClick={() => setReplacing(true)}>
              {text.replace}
            </Button>
            <ActionButton
              action={remove}
              thing={{ channel, credential, base: stored }}
              kind="danger"
            />
          </div>
        </>
      ) : (
        <CredentialFormView
          form={form}
          {...(stored === undefined ? {} : { onCancel: () => setReplacing(false) })}
          onStored={(registration) => {
            setReplacing(false);
            onRegistered(registration);
            tellDone(text.saved);
          }}
        />
      )}
    </Section>
  );
}

function WhereToFind({ form }: { readonly form: (typeof forms)[CredentialName] }) {
  return (
    <div className="stack-tight">
      <h3>{text.where}</h3>
      <ol className="steps soft">
        {form.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <a href={form.siteUrl} target="_blank" rel="noreferrer" className="row tight">
        {form.site}
        <Icon name="external" />
      </a>
    </div>
  );
}

interface Stored {
  readonly channel: Channel;
  readonly credential: CredentialName;
  readonly base: Version;
}

const remove = actionsOn<Stored>()({
  id: 'remove',
  label: text.remove,
  confirm: ({ channel, credential }) => ({
    title: text.removeTitle(words.channels[channel].name),
    text: text.removeText,
    typed: credential,
  }),
  operation: 'deleteCredential',
  args: ({ credential, base }, appId) => ({ path: { appId, channel: credential }, base }),
  done: () => text.removed,
});
