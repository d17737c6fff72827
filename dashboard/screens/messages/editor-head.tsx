// The editor's head: where one is, whether it is saved, and what one can do with the message.

import { useState } from 'react';
import { useLocation } from 'wouter';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { appPath, withParams } from '../../ui/address.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink, IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { ScreenHead } from '../../ui/screen.tsx';
import type { Saved } from './draft.ts';
import { RemoveDialog, useDuplicate } from './row-actions.tsx';
import type { Kind } from './use-saving.ts';
import { words } from './words.ts';

export function EditorHead({
  kind,
  saved,
  isDirty,
  isBusy,
  refused,
  onSave,
  onTest,
  onDeleted,
}: {
  readonly kind: Kind;
  readonly saved: Saved | undefined;
  readonly isDirty: boolean;
  readonly isBusy: boolean;
  readonly refused: string | undefined;
  readonly onSave: () => void;
  readonly onTest: (() => void) | undefined;
  readonly onDeleted: () => void;
}) {
  const app = useApp();
  const [, go] = useLocation();
  const [isRemoving, setRemoving] = useState(false);
  const duplicate = useDuplicate();
  const refusedSend = useRefusal('send');
  const list = withParams(appPath(app.id, 'messages'), {
    tab: kind === 'template' ? 'templates' : undefined,
  });
  const created = kind === 'message' ? words.head.newMessage : words.head.newTemplate;
  const title = saved === undefined ? created : (saved.name ?? saved.title ?? words.unnamed);
  return (
    <>
      <ScreenHead
        title={title}
        crumb={{ to: list, label: kind === 'message' ? words.title : words.tabs.templates }}
        aside={isDirty && <Badge tone="notice">{words.head.unsaved}</Badge>}
        actions={
          <>
            {saved !== undefined && (
              <Menu
                trigger={<IconButton label={words.head.more} icon="more" />}
                items={[
                  ...(kind === 'message'
                    ? [
                        {
                          label: words.duplicate,
                          icon: 'copy' as const,
                          refused,
                          onChoose: () => duplicate(saved),
                        },
                      ]
                    : []),
                  // Otherwise it is a button.
                  ...(kind === 'message' && isDirty
                    ? [
                        {
                          label: words.head.campaign,
                          icon: 'campaigns' as const,
                          refused,
                          onChoose: () => go(campaignOf(app.id, saved.id)),
                        },
                      ]
                    : []),
                  {
                    label: words.remove,
                    icon: 'trash' as const,
                    isDanger: true,
                    refused,
                    onChoose: () => setRemoving(true),
                  },
                ]}
              />
            )}
            {onTest !== undefined && (
              <Button icon="send" refused={refusedSend} onClick={onTest}>
                {words.head.test}
              </Button>
            )}
            {kind === 'message' && saved !== undefined && !isDirty && (
              <ButtonLink icon="campaigns" to={campaignOf(app.id, saved.id)}>
                {words.head.campaign}
              </ButtonLink>
            )}
            <Button kind="primary" refused={refused} isBusy={isBusy} onClick={onSave}>
              {words.head.save}
            </Button>
          </>
        }
      />
      {isRemoving && saved !== undefined && (
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
