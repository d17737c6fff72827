// What the server still doubts about a journey that is not live; activating it asks once more.

import type { Journey } from '../../api/generated.ts';
import { Note } from '../../ui/note.tsx';
import { words } from './words.ts';

export function DoubtsNote({ journey: { active, warnings = [] } }: { readonly journey: Journey }) {
  if (active || warnings.length === 0) return null;
  return (
    <div className="journey-notes">
      <Note tone="notice">
        <strong>{words.doubts}</strong>
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
