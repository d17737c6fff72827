// The warnings about misspelled fields of a journey that is not live. Activating it asks once more.

import type { Journey } from '../../api/generated.ts';
import { Note } from '../../ui/note.tsx';
import { words } from './words.ts';

export function WarningsNote({
  journey: { active, warnings = [] },
}: {
  readonly journey: Journey;
}) {
  if (active || warnings.length === 0) return null;
  return (
    <div className="journey-notes">
      <Note tone="notice">
        <strong>{words.misspelled}</strong>
        <ul>
          {warnings.map(({ field, warning }) => (
            <li key={field}>
              <code>{field}</code> {warning}
            </li>
          ))}
        </ul>
      </Note>
    </div>
  );
}
