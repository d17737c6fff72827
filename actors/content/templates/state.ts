// The ids behind the handles of message templates, whose content is in their table.

import type { NewApp, Slice } from '../../area.ts';

export interface TemplatesApp {
  readonly templates: Map<string, string>;
}

type Snapshot = { readonly templates: readonly (readonly [name: string, id: string])[] };

export const templatesOfApp: Slice<TemplatesApp, Snapshot, NewApp> = {
  make: () => ({ templates: new Map() }),
  snapshot: ({ templates }) => ({ templates: [...templates] }),
  restore: ({ templates }) => ({ templates: new Map(templates) }),
};
