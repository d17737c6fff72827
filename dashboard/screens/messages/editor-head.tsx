// What one can do with a message in the head of its editor, besides saving it.

import { useState } from 'react';
import { useLocation } from 'wouter';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { appPath, withParams } from '../../ui/address.ts';
import { Button, ButtonLink, IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import type { Saved } from './draft.ts';
import { RemoveDialog, useDuplicate } from './row-actions.tsx';
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
  return (
    <>
      {saved !== undefined && (
        <MoreMenu kind={kind} saved={saved} isDirty={isDirty} onDeleted={onDeleted} />
      )}
      {isMessage && (
        <Button icon="send" refused={refusedSend} onClick={onTest}>
          {words.head.test}
        </Button>
      )}
      {isMessage && saved !== undefined && !isDirty && (
        <ButtonLink icon="campaigns" to={campaignOf(app.id, saved.id)}>
          {words.head.campaign}
        </ButtonLink>
      )}
    </>
  );
}

function MoreMenu({
  kind,
  saved,
  isDirty,
  onDeleted,
}: {
  readonly kind: Kind;
  readonly saved: Saved;
  readonly isDirty: boolean;
  readonly onDeleted: () => void;
}) {
  const app = useApp();
  const [, go] = useLocation();
  const [isRemoving, setRemoving] = useState(false);
  const refused = useRefusal('write');
  const duplicate = useDuplicate();
  const copy = {
    label: words.duplicate,
    icon: 'copy',
    refused,
    onChoose: () => duplicate(saved),
  } as const;
  const campaign = {
    label: words.head.campaign,
    icon: 'campaigns',
    refused,
    onChoose: () => go(campaignOf(app.id, saved.id)),
  } as const;
  const remove = {
    label: words.remove,
    icon: 'trash',
    isDanger: true,
    refused,
    onChoose: () => setRemoving(true),
  } as const;
  // Without changes, the campaign is a button.
  const ofMessage = isDirty ? [copy, campaign] : [copy];
  return (
    <>
      <Menu
        trigger={<IconButton label={words.head.more} icon="more" />}
        items={kind === 'message' ? [...ofMessage, remove] : [remove]}
      />
      {isRemoving && (
        <RemoveDialog
          kind={kind}
          row={saved}
          onClose={() => setRemoving(false)}
          onRemoved={onDeleted}
        />
      )}
    </>
  );
}

/** A new campaign that sends this message. */
function campaignOf(appId: string, messageId: string): string {
  return withParams(appPath(appId, 'campaigns', 'new'), { message: messageId });
}
