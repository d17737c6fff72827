// Which messages change or delete an integration with a customer-data platform.

import type { Editable, EditableOf } from '../../area.ts';
import { cdpEtag } from './cdp-etag.ts';
import type { CdpMemory } from './memory.ts';

const cdpOf = (
  { apps }: CdpMemory,
  _message: unknown,
  { owner }: { readonly owner: number },
): Editable | undefined => {
  const app = apps.get(owner);
  if (app === undefined) return undefined;
  const keys = app.writeKeys;
  return keys === null
    ? { key: 'cdp' }
    : { key: 'cdp', etag: cdpEtag(keys), changedMs: keys.updatedMs };
};

export const cdpEdits = { 'cdp.put': cdpOf, 'cdp.configure': cdpOf } satisfies Record<
  string,
  EditableOf<CdpMemory>
>;
export const cdpEnds = { 'cdp.remove': cdpOf } satisfies Record<string, EditableOf<CdpMemory>>;
