// Asks before a campaign is canceled or deleted, and says what that means.

import type { Campaign } from '../../api/generated.ts';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { words } from './words.ts';

interface ConfirmProps {
  readonly campaign: Campaign;
  readonly isOpen: boolean;
  readonly isBusy: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function ConfirmCancel({ campaign, ...props }: ConfirmProps) {
  const app = useApp();
  const { data } = useRead(
    'readCampaignStats',
    { path: { appId: app.id, id: campaign.id } },
    { enabled: props.isOpen },
  );
  const progress = data?.progress;
  return (
    <Confirm title={words.cancelTitle(campaign.name)} action={words.act.cancelNow} {...props}>
      <p>
        {words.cancelText(
          data?.sent ?? 0,
          progress == null ? undefined : Math.max(progress.total - progress.done, 0),
        )}
      </p>
    </Confirm>
  );
}

export function ConfirmRemove({ campaign, ...props }: ConfirmProps) {
  return (
    <Confirm
      title={words.removeTitle(campaign.name)}
      action={words.act.remove}
      typed={campaign.state === 'draft' ? undefined : campaign.name}
      {...props}
    >
      <p>{campaign.state === 'draft' ? words.removeDraft : words.removeText}</p>
    </Confirm>
  );
}
