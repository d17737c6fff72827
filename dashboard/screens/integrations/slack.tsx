// The chat workspace: connect by an incoming webhook's URL, test, disconnect.

import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import type { Destination } from '../../api/generated.ts';
import { useRead } from '../../api/queries.ts';
import { useSecretAct } from '../../api/secret-act.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { appPath } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Answer, ErrorNote } from '../../ui/note.tsx';
import { ScreenHead } from '../../ui/screen.tsx';
import { Section } from '../../ui/section.tsx';
import { tellDone } from '../../ui/toast.tsx';
import { HealthBadge } from './connections.tsx';
import { Disconnect } from './disconnect.tsx';
import { State } from './webhook-page.tsx';
import { words } from './words.ts';

const text = words.slack;

export function SlackPage() {
  const app = useApp();
  const [, go] = useLocation();
  const list = appPath(app.id, 'integrations');
  const all = useRead('listIntegrations', { path: { appId: app.id }, query: { limit: 100 } });
  const catalog = useRead('listCatalog', { query: { limit: 100 } });
  const entry = catalog.data?.items.find(({ type }) => type === 'slack');
  const one = all.data?.items.find(({ type }) => type === 'slack') as Destination | undefined;
  return (
    <>
      <ScreenHead
        crumb={{ to: list, label: words.title }}
        title={entry?.name ?? words.list.names.slack}
        aside={one !== undefined && <HealthBadge one={one} />}
      />
      <div className="screen-body">
        <Answer result={all}>
          {() => (
            <>
              {one !== undefined && <State one={one} />}
              <Section title={words.webhook.change} intro={entry?.description}>
                <SlackForm present={one} />
              </Section>
              {one !== undefined && (
                <Section title={words.webhook.remove} intro={words.webhook.removeText}>
                  <Disconnect type="slack" base={one} onDone={() => go(list)} />
                </Section>
              )}
            </>
          )}
        </Answer>
      </div>
    </>
  );
}

function SlackForm({ present }: { readonly present: Destination | undefined }) {
  const app = useApp();
  const refused = useRefusal('admin');
  const [url, setUrl] = useState('');
  const put = useSecretAct('putSlack');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (refused !== undefined) return;
    put.run({ path: { appId: app.id }, body: { url }, base: present ?? null }, () => {
      setUrl('');
      tellDone(text.saved);
    });
  };
  const atField = put.error?.of('url');
  return (
    <form className="stack" onSubmit={submit}>
      <Field label={text.url} hint={text.hint} error={atField}>
        <TextInput
          required
          spellCheck={false}
          placeholder={text.example}
          value={url}
          onChange={setUrl}
        />
      </Field>
      {put.error !== undefined && atField === undefined && <ErrorNote error={put.error} />}
      <div className="row">
        <Button kind="primary" type="submit" refused={refused} isBusy={put.isPending}>
          {text.connect}
        </Button>
      </div>
    </form>
  );
}
