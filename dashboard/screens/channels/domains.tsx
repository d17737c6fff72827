// Sender domains: adding one, the DNS records to create, and what the last look-up found.

import { type FormEvent, useState } from 'react';
import type { EmailDomain } from '../../api/generated.ts';
import { useAct, useRead } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Answer, ErrorNote } from '../../ui/note.tsx';
import { Section } from '../../ui/section.tsx';
import { DomainCard } from './domain-card.tsx';
import { words } from './words.ts';

const text = words.domains;

export function Domains() {
  const app = useApp();
  const path = { appId: app.id };
  const domains = useRead('listEmailDomains', { path, query: { limit: 100 } });
  return (
    <Section title={text.title} intro={text.intro}>
      <Answer result={domains} rows={3}>
        {({ items }) => (
          <>
            {items.map((one: EmailDomain) => (
              <DomainCard key={one.domain} one={one} />
            ))}
            <AddDomain />
          </>
        )}
      </Answer>
    </Section>
  );
}

function AddDomain() {
  const app = useApp();
  const refused = useRefusal('admin');
  const [domain, setDomain] = useState('');
  const add = useAct('addEmailDomain');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (refused !== undefined) return;
    add.mutate(
      { path: { appId: app.id }, body: { domain: domain.trim() } },
      { onSuccess: () => setDomain('') },
    );
  };
  const atField = add.error?.of('domain');
  return (
    <form className="stack-tight" onSubmit={submit}>
      <Field label={text.label} hint={text.hint} error={atField}>
        <TextInput
          required
          spellCheck={false}
          placeholder={text.example}
          value={domain}
          onChange={setDomain}
        />
      </Field>
      {add.error !== undefined && atField === undefined && <ErrorNote error={add.error} />}
      <div className="row">
        <Button type="submit" icon="plus" refused={refused} isBusy={add.isPending}>
          {text.add}
        </Button>
      </div>
    </form>
  );
}
