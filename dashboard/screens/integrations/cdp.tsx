// The customer data platform: its address, its write key, which is shown once, and whether traits
// become devices.

import { useState } from 'react';
import { useLocation } from 'wouter';
import { hrefOf } from '../../api/client.ts';
import type { Integration } from '../../api/generated.ts';
import { useAct, useRead } from '../../api/queries.ts';
import { useSecretAct } from '../../api/secret-act.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { appPath } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { Check } from '../../ui/choices.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Answer, ErrorNote } from '../../ui/note.tsx';
import { ScreenHead } from '../../ui/screen.tsx';
import { CodeBlock, SecretDialog } from '../../ui/secret.tsx';
import { Section } from '../../ui/section.tsx';
import { HealthBadge } from './connections.tsx';
import { Disconnect } from './disconnect.tsx';
import { words } from './words.ts';

const text = words.cdp;

export function CdpPage() {
  const app = useApp();
  const [, go] = useLocation();
  const list = appPath(app.id, 'integrations');
  const all = useRead('listIntegrations', { path: { appId: app.id }, query: { limit: 100 } });
  const catalog = useRead('listCatalog', { query: { limit: 100 } });
  const entry = catalog.data?.items.find(({ type }) => type === 'cdp');
  const one = all.data?.items.find(({ type }) => type === 'cdp');
  const address = `${location.origin}${hrefOf('receiveCdp', { path: { appId: app.id } })}`;
  return (
    <>
      <ScreenHead
        crumb={{ to: list, label: words.title }}
        title={entry?.name ?? words.list.names.cdp}
        aside={one !== undefined && <HealthBadge one={one} />}
      />
      <div className="screen-body">
        <Answer result={all}>
          {() => (
            <>
              <Section title={text.keyLabel} intro={entry?.description}>
                <p>{text.intro}</p>
                <CodeBlock label={text.address} text={address} />
                <p className="soft">{text.keyHint}</p>
                <WriteKey address={address} isFirst={one === undefined} />
              </Section>
              {one !== undefined && 'devicesFromTraits' in one && (
                <Section title={text.people} intro={text.peopleIntro}>
                  <TraitDevices one={one} />
                </Section>
              )}
              {one !== undefined && (
                <Section title={words.webhook.remove} intro={text.removeText}>
                  <Disconnect
                    type="cdp"
                    base={one}
                    explanation={text.removeText}
                    onDone={() => go(list)}
                  />
                </Section>
              )}
            </>
          )}
        </Answer>
      </div>
    </>
  );
}

/** Takes effect at once: there is nothing else to save. */
function TraitDevices({ one }: { readonly one: Integration }) {
  const app = useApp();
  const refused = useRefusal('admin');
  const act = useAct('updateCdp');
  const change = (devicesFromTraits: boolean) =>
    act.mutate({ path: { appId: app.id }, body: { devicesFromTraits }, base: one });
  return (
    <>
      {act.error !== undefined && <ErrorNote error={act.error} />}
      <Check
        isChecked={one.devicesFromTraits}
        isDisabled={refused !== undefined || act.isPending}
        onChange={change}
      >
        {text.devicesFromTraits}
      </Check>
      <p className="soft">{text.peopleHint}</p>
    </>
  );
}

function WriteKey({ address, isFirst }: { readonly address: string; readonly isFirst: boolean }) {
  const app = useApp();
  const refused = useRefusal('admin');
  const [isAsking, setAsking] = useState(false);
  const [key, setKey] = useState<string>();
  const put = useSecretAct('createWriteKey');
  const create = () =>
    put.run({ path: { appId: app.id } }, ({ writeKey }) => {
      setAsking(false);
      setKey(writeKey);
    });
  return (
    <>
      {put.error !== undefined && !isAsking && <ErrorNote error={put.error} />}
      <div className="row">
        <Button
          kind={isFirst ? 'primary' : undefined}
          icon="key"
          refused={refused}
          isBusy={put.isPending}
          onClick={() => (isFirst ? create() : setAsking(true))}
        >
          {isFirst ? text.connect : text.rotate}
        </Button>
      </div>
      <Confirm
        isOpen={isAsking}
        title={text.rotateTitle}
        action={text.rotate}
        isBusy={put.isPending}
        error={put.error?.message}
        onClose={() => setAsking(false)}
        onConfirm={create}
      >
        {text.rotateText}
      </Confirm>
      {key !== undefined && (
        <SecretDialog
          title={text.keyTitle}
          lines={[
            { label: text.keyLabel, text: key },
            { label: text.curl, text: tryLine(address, key) },
          ]}
          onClose={() => setKey(undefined)}
        >
          <p className="soft">{text.keyHint}</p>
        </SecretDialog>
      )}
    </>
  );
}

function tryLine(address: string, key: string): string {
  const call =
    '{"type":"track","userId":"customer-42","messageId":"m-1","event":"Order Completed"}';
  return `curl ${address} -u "${key}:" --json '{"batch":[${call}]}'`;
}
