// One sign-up form: what its page says and asks, with the page as it will look.

import { useLocation } from 'wouter';
import type { Form } from '../../api/generated.ts';
import { useAct } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { type DraftTools, useDraft } from '../../kit/draft.ts';
import { FormEditor } from '../../kit/form-editor.tsx';
import { appPath } from '../../ui/address.ts';
import { Toggle } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { TextArea, TextInput } from '../../ui/input.tsx';
import { keptKey } from '../../ui/kept-store.ts';
import { NameAndKey } from '../../ui/name-and-key.tsx';
import { keyPlace } from '../../ui/thing-key.ts';
import { tellDone } from '../../ui/toast.tsx';
import { remove } from './actions.ts';
import { FormAside } from './aside.tsx';
import { bodyOf, draftOf, emptyDraft, type FormDraft, restored } from './draft.ts';
import { FormFields } from './fields.tsx';
import { FormTopics } from './topics.tsx';
import { words } from './words.ts';

export function FormPageEditor({ saved }: { readonly saved: Form | undefined }) {
  const app = useApp();
  const refused = useRefusal('write');
  const tools = useFormDraft(saved, refused);
  return (
    <FormEditor
      title={saved?.name ?? words.create}
      crumb={{ to: appPath(app.id, 'forms'), label: words.title }}
      {...{ tools, saved, refused, remove }}
      aside={<FormAside draft={tools.draft} saved={tools.saved} />}
    >
      <Parts tools={tools} isNew={saved === undefined} refused={refused} />
    </FormEditor>
  );
}

function useFormDraft(saved: Form | undefined, refused: string | undefined) {
  const app = useApp();
  const [, go] = useLocation();
  const create = useAct('createForm');
  const update = useAct('updateForm');
  const path = { appId: app.id };
  return useDraft<FormDraft, Form>({
    saved,
    start: emptyDraft(words.consentStart(app.name)),
    draftOf,
    keptAs: (form) => keptKey('form', app.id, form?.key ?? 'new form'),
    restore: restored,
    refused,
    send: (draft, now, base) => {
      const { key, ...body } = bodyOf(draft);
      return now === undefined
        ? create.mutateAsync({ path, body: { key, ...body } })
        : update.mutateAsync({ path: { ...path, key: now.key }, body, base });
    },
    onSaved: (form, isNew) => {
      tellDone(isNew ? words.created : words.saved);
      if (isNew) go(appPath(app.id, ...keyPlace('forms', form.key)), { replace: true });
    },
  });
}

function Parts({
  tools: { draft, change, error },
  isNew,
  refused,
}: {
  readonly tools: DraftTools<FormDraft, Form>;
  readonly isNew: boolean;
  readonly refused: string | undefined;
}) {
  return (
    <>
      <NameAndKey
        draft={draft}
        change={change}
        errorOf={(field) => error?.of(field)}
        isNew={isNew}
        words={words}
      />
      <FormTopics chosen={draft.topics} error={error} onChange={(topics) => change({ topics })} />
      <FormFields fields={draft.fields} error={error} onChange={(fields) => change({ fields })} />
      <Field label={words.consent} hint={words.consentHint} error={error?.of('consent')}>
        <TextArea
          value={draft.consent}
          rows={3}
          onChange={(consent) => change({ consent }, 'consent')}
        />
      </Field>
      <Field
        label={words.redirect}
        hint={words.redirectHint}
        isOptional
        error={error?.of('redirectUrl')}
      >
        <TextInput
          type="url"
          value={draft.redirectUrl}
          spellCheck={false}
          onChange={(redirectUrl) => change({ redirectUrl }, 'redirect')}
        />
      </Field>
      <div className="stack-tight">
        <div className="row">
          <Toggle
            label={words.isOpen}
            isOn={draft.isOpen}
            refused={refused}
            onChange={(isOpen) => change({ isOpen })}
          />
          <strong>{words.isOpen}</strong>
        </div>
        <p className="field-hint">{words.isOpenHint}</p>
      </div>
    </>
  );
}
