// One webhook: state, test, change, secret, code that verifies it, disconnecting.

import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { Destination } from '../../api/generated.ts';
import { useLiveRead } from '../../api/live.ts';
import { useSecretAct } from '../../api/secret-act.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { appPath, withParams } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { CodeLine } from '../../ui/code.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { count, Facts } from '../../ui/figure.tsx';
import { Answer, Note } from '../../ui/note.tsx';
import { ScreenHead } from '../../ui/screen.tsx';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';
import { HealthBadge } from './connections.tsx';
import { Disconnect } from './disconnect.tsx';
import { TestButton } from './test-button.tsx';
import { verifyCode } from './verify-code.ts';
import { WebhookForm, WebhookSecret } from './webhook-form.tsx';
import { words } from './words.ts';

const text = words.webhook;

export function WebhookPage({ type }: { readonly type: string }) {
  const app = useApp();
  const [, go] = useLocation();
  const list = appPath(app.id, 'integrations');
  const mayRead = useRefusal('admin') === undefined;
  const read = useLiveRead(
    app.id,
    'readIntegration',
    { path: { appId: app.id, type } },
    { topics: mayRead ? ['integrations'] : [], isLive: () => true },
  );
  const one = read.data as Destination | undefined;
  // What is typed stays while a colleague's save arrives; only an own one begins anew.
  const [saves, setSaves] = useState(0);
  return (
    <>
      <ScreenHead
        crumb={{ to: list, label: words.title }}
        title={type}
        aside={one !== undefined && <HealthBadge one={one} />}
      />
      <div className="screen-body">
        <Answer result={{ ...read, data: one }}>
          {(found) => (
            <>
              <State one={found} />
              <Section title={text.secret} intro={text.secretIntro}>
                <Rotate type={type} />
                <h3>{text.verify}</h3>
                <p className="soft">{text.verifyIntro}</p>
                <CodeLine text={verifyCode} />
              </Section>
              <Section title={text.change} intro={text.changeIntro}>
                <WebhookForm
                  key={saves}
                  present={found}
                  onSaved={() => void read.refetch().then(() => setSaves(saves + 1))}
                />
              </Section>
              <Section title={text.remove} intro={text.removeText}>
                <Disconnect type={type} base={found} onDone={() => go(list)} />
              </Section>
            </>
          )}
        </Answer>
      </div>
    </>
  );
}

export function State({ one }: { readonly one: Destination }) {
  const app = useApp();
  const ledger = appPath(app.id, 'integrations');
  return (
    <Section title={text.state}>
      {one.disabledReason !== null && <Note tone="bad">{text.noSuccess}</Note>}
      <Facts
        items={[
          [text.facts.events, <code key="events">{one.events.join(', ')}</code>],
          [text.facts.concurrency, count(one.concurrency)],
          [text.facts.pending, count(one.pending)],
          [text.facts.created, <Time key="created" at={one.createdAt} />],
          [text.facts.updated, <Time key="updated" at={one.updatedAt} />],
        ]}
      />
      <TestButton type={one.type} />
      <p>
        <Link to={withParams(ledger, { tab: 'deliveries', to: one.type })}>{text.deliveries}</Link>
      </p>
    </Section>
  );
}

function Rotate({ type }: { readonly type: string }) {
  const app = useApp();
  const refused = useRefusal('admin');
  const [isAsking, setAsking] = useState(false);
  const [secret, setSecret] = useState<string>();
  const rotate = useSecretAct('rotateWebhookSecret');
  return (
    <div className="row">
      <Button icon="refresh" refused={refused} onClick={() => setAsking(true)}>
        {text.rotate}
      </Button>
      <Confirm
        isOpen={isAsking}
        title={text.rotateTitle}
        action={text.rotate}
        isBusy={rotate.isPending}
        error={rotate.error?.message}
        onClose={() => setAsking(false)}
        onConfirm={() =>
          rotate.run({ path: { appId: app.id, type } }, (answer) => {
            setAsking(false);
            setSecret(answer.secret);
          })
        }
      >
        {text.rotateText}
      </Confirm>
      {secret !== undefined && (
        <WebhookSecret secret={secret} onClose={() => setSecret(undefined)} />
      )}
    </div>
  );
}
