// Branding: what the org sets itself, what it inherits, and a preview that follows what is typed.

import { useState } from 'react';
import type { Branding } from '../../api/generated.ts';
import { useAct, useRead } from '../../api/queries.ts';
import { useRefusal, useSession } from '../../api/session-context.tsx';
import { useDraft } from '../../ui/draft.ts';
import { useFocusError } from '../../ui/focus-error.ts';
import { keptKey } from '../../ui/kept-store.ts';
import { LeaveQuestion } from '../../ui/leave-question.tsx';
import { useIsNarrow } from '../../ui/media.ts';
import { Answer } from '../../ui/note.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import { ScreenHead } from '../../ui/screen.tsx';
import { TabPanel, Tabs, useTab } from '../../ui/tabs.tsx';
import { tellDone } from '../../ui/toast.tsx';
import { BrandingFields } from './fields.tsx';
import { type Own, ownOf, valuesOf } from './own.ts';
import { Preview } from './preview.tsx';
import { words } from './words.ts';

const tabs = [
  { id: 'edit', label: words.edit },
  { id: 'preview', label: words.preview },
] as const;

export default function BrandingScreen() {
  const branding = useRead('readBranding', {});
  return (
    <>
      <ScreenHead title={words.title} />
      <div className="screen-body">
        <Answer result={branding} rows={8}>
          {(present) => <BrandingForm present={present} />}
        </Answer>
      </div>
    </>
  );
}

function BrandingForm({ present }: { readonly present: Branding }) {
  const { reload, session } = useSession();
  const draft = useDraft<Own, Branding>(
    ownOf(present),
    present,
    keptKey('branding', session.org.id, 'form'),
  );
  const refused = useRefusal('admin');
  const isNarrow = useIsNarrow();
  const tab = useTab(tabs);
  const save = useAct('updateBranding');
  // What would be inherited is known only of fields that are inherited now.
  const [inherited] = useState(present);
  useFocusError(save.error);
  const shown: Branding = { ...present, ...valuesOf(draft.value, inherited) };
  const run = () =>
    save.mutate(
      { body: draft.changes, base: draft.version },
      {
        onTheirs: draft.discard,
        onSuccess: () => {
          draft.discard();
          tellDone(words.saved);
          void reload();
        },
      },
    );
  const fields = <BrandingFields draft={draft} present={present} error={save.error} />;
  const preview = <Preview branding={shown} />;
  return (
    <>
      <p className="soft readable branding-intro">{words.intro}</p>
      {isNarrow ? (
        <>
          <Tabs label={words.title} tabs={tabs} />
          <TabPanel id={tab}>{tab === 'edit' ? fields : preview}</TabPanel>
        </>
      ) : (
        <div className="branding-split">
          {fields}
          {preview}
        </div>
      )}
      <SaveBar
        isDirty={draft.isDirty}
        isRestored={draft.isRestored}
        isBusy={save.isPending}
        refused={refused}
        error={save.error?.issues.length === 0 ? save.error : undefined}
        onDiscard={() => {
          draft.discard();
          save.reset();
        }}
        onSave={run}
      />
      <LeaveQuestion isDirtyNow={draft.isDirtyNow} onDiscard={draft.discard} />
    </>
  );
}
