// When this campaign pauses itself: as the app's settings say, by limits of its own, or never. Of
// its own limits it keeps only those that were changed here, so that the others follow the app's.

import { useRead } from '../../../api/queries.ts';
import { useApp } from '../../../api/session-context.tsx';
import { SelectBox } from '../../../ui/choices.tsx';
import { Field } from '../../../ui/field.tsx';
import { GuardFields } from '../../../ui/guard-fields.tsx';
import { Answer } from '../../../ui/note.tsx';
import { guardWords as text } from '../../../words/campaign-guard.ts';
import type { Draft } from './draft.ts';
import type { PartProps } from './part.ts';

export function GuardChoice({ draft, change, errorOf }: PartProps) {
  const app = useApp();
  const isOwn = draft.guard === 'own';
  const settings = useRead('readSettings', { path: { appId: app.id } }, { enabled: isOwn });
  const { guardOwn } = draft;
  return (
    <div className="stack-tight">
      <Field label={text.choice} error={isOwn ? undefined : errorOf('guard')}>
        <SelectBox<Draft['guard']>
          value={draft.guard}
          choices={(['app', 'own', 'off'] as const).map((value) => ({
            value,
            label: text.choices[value],
          }))}
          onChange={(guard) => change({ guard })}
        />
      </Field>
      {isOwn && (
        <div className="fold-inset stack">
          <Answer result={settings} rows={3}>
            {({ campaignGuard, campaignGuardDefaults: defaults }) => (
              <GuardFields
                value={{ ...defaults, ...campaignGuard, ...guardOwn }}
                defaults={defaults}
                set={(part) => change({ guardOwn: { ...guardOwn, ...part } })}
                errorOf={(name) => errorOf(`guard.${name}`)}
              />
            )}
          </Answer>
        </div>
      )}
    </div>
  );
}
