// What a change was made to: by its name, if the entry has one, and always by its id to copy.

import type { AuditNote } from '../../api/generated.ts';
import { Copyable } from '../../ui/code.tsx';

export function Target({ one }: { readonly one: AuditNote }) {
  const name = one.after?.['name'] ?? one.before?.['name'];
  return typeof name === 'string' ? (
    <span className="audit-target">
      <Copyable text={one.target} shown={name} />
    </span>
  ) : (
    <Copyable text={one.target} />
  );
}
