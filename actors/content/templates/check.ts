// Checks the handles of message templates against their records.

import { templates } from '../../../storage/tables/template.ts';
import { type AppCheck, type CheckedApp, checkOf } from '../../area-check.ts';
import type { TemplatesApp } from './memory.ts';

export function checkTemplates(
  { templates: handles }: TemplatesApp,
  { problem }: CheckedApp,
): AppCheck {
  let count = 0;
  return {
    rows: [
      checkOf(templates, ({ id, name }, key) => {
        count++;
        if (key[0] !== id) problem(`: the template ${id} is stored under ${String(key[0])}`);
        const known = handles.get(name);
        if (known !== id)
          problem(
            `: the handle of ${id} points ${known === undefined ? 'nowhere' : `to ${known}`}`,
          );
      }),
    ],
    end: () => {
      if (count !== handles.size)
        problem(`: memory has ${handles.size} template handles, but there are ${count} records`);
    },
  };
}
