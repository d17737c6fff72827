// The actions of one campaign behind one button: in its row, and at the head of its page.

import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Campaign } from '../../api/generated.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { appPath } from '../../ui/address.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import type { MenuItem } from '../../ui/menu-props.ts';
import { may, useCampaignActions } from './actions.ts';
import { ConfirmCancel, ConfirmRemove } from './confirm.tsx';
import { words } from './words.ts';

export function RowMenu({ campaign }: { readonly campaign: Campaign }) {
  const app = useApp();
  const [, go] = useLocation();
  const [asked, setAsked] = useState<'cancel' | 'remove'>();
  const acts = useCampaignActions(campaign);
  const write = useRefusal('write');
  const send = useRefusal('send');
  const can = may(campaign);
  const items: MenuItem[] = [];
  const put = (isThere: boolean, item: MenuItem) => isThere && items.push(item);
  put(can.edit, {
    label: words.act.edit,
    icon: 'edit',
    refused: write,
    to: appPath(app.id, 'campaigns', campaign.id, 'edit'),
  });
  put(can.pause, { label: words.act.pause, icon: 'pause', refused: send, onChoose: acts.pause });
  put(can.resume, { label: words.act.resume, icon: 'play', refused: send, onChoose: acts.resume });
  put(can.unschedule, {
    label: words.act.unschedule,
    icon: 'left',
    refused: send,
    onChoose: acts.unschedule,
  });
  put(true, {
    label: words.act.duplicate,
    icon: 'copy',
    refused: write,
    onChoose: acts.duplicate,
  });
  put(can.archive, {
    label: words.act.archive,
    icon: 'inbox',
    refused: write,
    onChoose: acts.archive,
  });
  put(can.unarchive, {
    label: words.act.unarchive,
    icon: 'inbox',
    refused: write,
    onChoose: acts.unarchive,
  });
  put(can.cancel || can.remove, { line: 'end' });
  put(can.cancel, {
    label: words.act.cancel,
    icon: 'close',
    isDanger: true,
    refused: send,
    onChoose: () => setAsked('cancel'),
  });
  put(can.remove, {
    label: words.act.remove,
    icon: 'trash',
    isDanger: true,
    refused: write,
    onChoose: () => setAsked('remove'),
  });
  return (
    <>
      <Menu
        trigger={
          <button
            type="button"
            className="button quiet icon-only small row-menu"
            aria-label={words.actionsOf(campaign.name)}
          >
            <Icon name="more" />
          </button>
        }
        items={items}
      />
      <ConfirmCancel
        campaign={campaign}
        isOpen={asked === 'cancel'}
        isBusy={acts.isBusy}
        onConfirm={() => acts.cancel(() => setAsked(undefined))}
        onClose={() => setAsked(undefined)}
      />
      <ConfirmRemove
        campaign={campaign}
        isOpen={asked === 'remove'}
        isBusy={acts.isBusy}
        onConfirm={() =>
          acts.remove(() => {
            setAsked(undefined);
            go(appPath(app.id, 'campaigns'));
          })
        }
        onClose={() => setAsked(undefined)}
      />
    </>
  );
}
