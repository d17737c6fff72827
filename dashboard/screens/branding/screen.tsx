// Branding: what the org sets itself, what it inherits, and a preview that follows what is typed.

import { useState } from 'react';
import type { Branding } from '../../api/generated.ts';
import { useAct, useRead } from '../../api/queries.ts';
import { useRefusal, useSession } from '../../api/session-context.tsx';
import { useDraft } from '../../kit/draft.ts';
import { changedMembers } from '../../kit/draft-state.ts';
import { SaveBar } from '../../kit/save-bar.tsx';
import { useFocusError } from '../../ui/field.tsx';
import { keptKey } from '../../ui/kept-store.ts';
import { useIsNarrow } from '../../ui/media.ts';
import { Answer } from '../../ui/note.tsx';
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
  const refused = useRefusal('admin');
  const tools = useSavedBranding(present, refused);
  const { draft, change, error } = tools;
  const isNarrow = useIsNarrow();
  const tab = useTab(tabs);
  // What would be inherited is known only of fields that are inherited now.
  const [inherited] = useState(present);
  useFocusError(error);
  const shown: Branding = { ...present, ...valuesOf(draft, inherited) };
  const fields = <BrandingFields draft={draft} change={change} present={present} error={error} />;
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
        tools={tools}
        refused={refused}
        error={error?.issues.length === 0 ? error : undefined}
        onSave={() => void tools.save()}
      />
    </>
  );
}

function useSavedBranding(present: Branding, refused: string | undefined) {
  const { reload, session } = useSession();
  const update = useAct('updateBranding');
  return useDraft<Own, Branding>({
    saved: present,
    start: ownOf(present),
    draftOf: ownOf,
    keptAs: () => keptKey('branding', session.org.id, 'form'),
    restore: (kept) => ({ ...ownOf(present), ...kept }),
    isForm: true,
    refused,
    send: (draft, _now, version) =>
      update.mutateAsync({
        body: changedMembers(ownOf(version as Branding), draft),
        base: version,
      }),
    onSaved: () => {
      tellDone(words.saved);
      void reload();
    },
  });
}
