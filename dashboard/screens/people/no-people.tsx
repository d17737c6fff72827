// What stands in place of the people when nobody is there, or nobody fits.

import { useApp } from '../../api/session-context.tsx';
import { appPath } from '../../ui/address.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Empty } from '../../ui/note.tsx';
import { words } from './words.ts';

export function NoPeople({ isNarrowed }: { readonly isNarrowed: boolean }) {
  const app = useApp();
  const toImport = appPath(app.id, 'import');
  return isNarrowed ? (
    <Empty icon="search" title={words.emptyFound}>
      {words.emptyFoundText}
    </Empty>
  ) : (
    <Empty
      icon="people"
      title={words.empty}
      action={
        <ButtonLink kind="primary" icon="upload" to={toImport}>
          {words.import}
        </ButtonLink>
      }
      curl={`curl -X POST ${location.origin}/v1/apps/${app.id}/subscribers -H "authorization: Bearer $ENGAGE_KEY" -H "content-type: application/json" -d '{"externalUserId":"customer-42","tags":{"first_name":"Ada"},"devices":[{"channel":"email","endpoint":"ada@example.com"}]}'`}
    >
      {words.emptyText}
    </Empty>
  );
}
