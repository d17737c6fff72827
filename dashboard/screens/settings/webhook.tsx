// The older webhook of the settings, and its secret, which is never read back.

import { Link } from 'wouter';
import { useApp } from '../../api/session-context.tsx';
import { appPath } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Note } from '../../ui/note.tsx';
import { Section } from '../../ui/section.tsx';
import type { PartProps } from './form.ts';
import { words } from './words.ts';

const text = words.webhook;

export function Webhook({
  draft,
  change,
  errorOf,
  isSecretSet,
}: PartProps & { readonly isSecretSet: boolean }) {
  const app = useApp();
  return (
    <Section
      id="webhook"
      title={text.title}
      intro={text.intro}
      aside={<Link to={appPath(app.id, 'integrations')}>{text.integrations}</Link>}
    >
      <Field label={text.url} hint={text.urlHint} error={errorOf('webhookUrl')} isOptional>
        <TextInput
          inputMode="url"
          spellCheck={false}
          value={draft.webhookUrl ?? ''}
          onChange={(url) => change({ webhookUrl: url === '' ? null : url })}
        />
      </Field>
      {draft.secret === null ? (
        <Note tone="notice">{text.removed}</Note>
      ) : (
        <Field
          label={text.secret}
          hint={isSecretSet ? text.secretSet : text.secretNone}
          error={errorOf('secret')}
          isOptional
        >
          <TextInput
            type="password"
            autoComplete="new-password"
            value={draft.secret}
            onChange={(secret) => change({ secret })}
          />
        </Field>
      )}
      {isSecretSet && draft.secret !== null && (
        <div className="row">
          <Button onClick={() => change({ secret: null })}>{text.remove}</Button>
        </div>
      )}
    </Section>
  );
}
