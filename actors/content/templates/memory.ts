// The ids behind the handles of message templates, whose content is in their table; and what
// templates see of a partition's memory.

import type { AppsOf, NewApp, Slice } from '../../area.ts';

export interface TemplatesApp {
  readonly templates: Map<string, string>;
}

type Snapshot = { readonly templates: readonly (readonly [name: string, id: string])[] };

export const templatesOfApp: Slice<TemplatesApp, Snapshot, NewApp> = {
  make: () => ({ templates: new Map() }),
  snapshot: ({ templates }) => ({ templates: [...templates] }),
  restore: ({ templates }) => ({ templates: new Map(templates) }),
};

export type TemplatesView = TemplatesApp;

export type TemplatesMemory = AppsOf<TemplatesView>;
