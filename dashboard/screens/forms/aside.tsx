// Beside one form: its page as it will look, its link, and the form for another site.

import { useState } from 'react';
import { Link } from 'wouter';
import type { Form } from '../../api/generated.ts';
import { useApp } from '../../api/session-context.tsx';
import { appPath, withParams } from '../../ui/address.ts';
import { Segmented } from '../../ui/choices.tsx';
import { CodeLine } from '../../ui/code.tsx';
import type { FormDraft } from './draft.ts';
import { FormLook } from './look.tsx';
import { formSnippet } from './snippet.ts';
import { words } from './words.ts';

const schemes = [
  { value: 'light', label: words.light },
  { value: 'dark', label: words.dark },
] as const;

export function FormAside({
  draft,
  saved,
}: {
  readonly draft: FormDraft;
  readonly saved: Form | undefined;
}) {
  const app = useApp();
  const [scheme, setScheme] = useState<'light' | 'dark'>('light');
  return (
    <div className="stack">
      <section className="stack-tight" aria-label={words.preview}>
        <div className="row-between">
          <h2>{words.preview}</h2>
          <Segmented label={words.scheme} choices={schemes} value={scheme} onChange={setScheme} />
        </div>
        <FormLook draft={draft} scheme={scheme} />
        <p className="soft">{words.pageNote}</p>
      </section>
      {saved !== undefined && <ForOthers form={saved} />}
      <section className="card">
        <h2 className="card-head">{words.confirmation}</h2>
        <div className="card-body stack-tight">
          <p className="soft">
            {words.confirmationText}{' '}
            <Link to={withParams(appPath(app.id, 'messages'), { tab: 'templates' })}>
              {words.confirmationLink}
            </Link>
          </p>
          <p className="soft">
            {words.settingsText}{' '}
            <Link to={`${appPath(app.id, 'settings')}#sign-ups`}>{words.settingsLink}</Link>
          </p>
        </div>
      </section>
    </div>
  );
}

/** Of the saved form: what others get to see. */
function ForOthers({ form }: { readonly form: Form }) {
  const address = location.origin + form.path;
  return (
    <>
      <section className="card">
        <h2 className="card-head">{words.link}</h2>
        <div className="card-body stack-tight">
          <p className="soft">{form.archivedAt === null ? words.linkText : words.openArchived}</p>
          <CodeLine text={address} />
          {form.archivedAt === null && (
            <p>
              <a href={address} target="_blank" rel="noreferrer">
                {words.open}
              </a>
            </p>
          )}
        </div>
      </section>
      <section className="card">
        <h2 className="card-head">{words.snippet}</h2>
        <div className="card-body stack-tight">
          <p className="soft">{words.snippetText}</p>
          <CodeLine text={formSnippet(form, address)} />
        </div>
      </section>
    </>
  );
}
