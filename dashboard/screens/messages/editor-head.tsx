// What one can do with a message in the head of its editor, besides saving it.

import { useApp, useRefusal } from '../../api/session-context.tsx';
import { ActionMenu } from '../../kit/action-view.tsx';
import { appPath, withParams } from '../../ui/address.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import type { Saved } from './draft.ts';
import { campaign, duplicate, remove, removeTemplate } from './row-actions.tsx';
import type { Kind } from './use-saving.ts';
import { words } from './words.ts';

export function HeadActions({
  kind,
  saved,
  isDirty,
  onTest,
  onDeleted,
}: {
  readonly kind: Kind;
  readonly saved: Saved | undefined;
  readonly isDirty: boolean;
  readonly onTest: () => void;
  readonly onDeleted: () => void;
}) {
  const app = useApp();
  const refusedSend = useRefusal('send');
  const isMessage = kind === 'message';
  // Without changes, the campaign is a button.
  const ofMessage = isDirty ? [duplicate, campaign, remove] : [duplicate, remove];
  return (
    <>
      {saved !== undefined && (
        <ActionMenu
          isEdited
          label={words.head.more}
          actions={isMessage ? ofMessage : [removeTemplate]}
          thing={saved}
          onDone={({ id }) => id === 'remove' && onDeleted()}
        />
      )}
      {isMessage && (
        <Button icon="send" refused={refusedSend} onClick={onTest}>
          {words.head.test}
        </Button>
      )}
      {isMessage && saved !== undefined && !isDirty && (
        <ButtonLink
          icon="campaigns"
          to={withParams(appPath(app.id, 'campaigns', 'new'), { message: saved.id })}
        >
          {words.head.campaign}
        </ButtonLink>
      )}
    </>
  );
}
