// What one can do with a campaign, and in which states; its menu, in its row and at the head of its
// page.

import type { Campaign } from '../../api/generated.ts';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { actionsOn, asShown, duplicating, named, removing } from '../../kit/action.ts';
import { type ActionList, ActionMenu } from '../../kit/action-view.tsx';
import { actionWords } from '../../words/actions.ts';
import { words } from './words.ts';

export function RowMenu({ campaign }: { readonly campaign: Campaign }) {
  const label = words.actionsOf(campaign.name);
  return <ActionMenu inRow isEdited label={label} actions={actions} thing={campaign} />;
}

const { done } = words;
const change = actionsOn<Campaign>();
const isOver = ({ state }: Campaign) => ['completed', 'canceled', 'failed'].includes(state);
const isAtRest = (campaign: Campaign) => campaign.state === 'draft' || isOver(campaign);

export const pause = change({
  id: 'pause',
  label: words.act.pause,
  icon: 'pause',
  needs: 'send',
  isFor: ({ state }) => state === 'sending' || state === 'scheduled',
  operation: 'pauseCampaignOfApp',
  args: named,
  done: () => done.paused,
});

export const resume = change({
  id: 'resume',
  label: words.act.resume,
  icon: 'play',
  needs: 'send',
  isFor: ({ state }) => state === 'paused',
  operation: 'resumeCampaignOfApp',
  args: named,
  done: () => done.resumed,
});

const unarchive = change({
  id: 'unarchive',
  label: actionWords.unarchive,
  icon: 'inbox',
  needs: 'write',
  isFor: ({ archivedAt }) => archivedAt !== null,
  operation: 'unarchiveCampaignOfApp',
  args: named,
  done: () => done.unarchived,
});

export const mayArchive = (campaign: Campaign) =>
  isAtRest(campaign) && campaign.archivedAt === null;

const actions: ActionList<Campaign> = [
  {
    id: 'edit',
    label: words.act.edit,
    icon: 'edit',
    needs: 'write',
    isFor: ({ state, schedule }) => state === 'scheduled' && schedule.type === 'recurring',
    to: ({ id }) => ['campaigns', id, 'edit'],
  },
  pause,
  resume,
  change({
    id: 'unschedule',
    label: words.act.unschedule,
    icon: 'left',
    needs: 'send',
    isFor: ({ state }) => state === 'scheduled',
    operation: 'unscheduleCampaignOfApp',
    args: named,
    done: () => done.unscheduled,
  }),
  change({
    ...duplicating,
    operation: 'duplicateCampaignOfApp',
    done: (_, { name }) => done.duplicated(name),
    goTo: (_, { id }) => ['campaigns', id],
  }),
  change({
    id: 'archive',
    label: actionWords.archive,
    icon: 'inbox',
    needs: 'write',
    isFor: mayArchive,
    operation: 'archiveCampaignOfApp',
    args: named,
    done: ({ name }) => done.archived(name),
    undo: unarchive,
  }),
  unarchive,
  'line',
  change({
    id: 'cancel',
    label: words.act.cancel,
    icon: 'close',
    isDanger: true,
    needs: 'send',
    isFor: ({ state }) => state === 'sending' || state === 'scheduled' || state === 'paused',
    confirm: (campaign) => ({
      title: words.cancelTitle(campaign.name),
      label: words.act.cancelNow,
      text: <CancelText campaign={campaign} />,
    }),
    operation: 'cancelCampaignOfApp',
    args: named,
    done: () => done.canceled,
  }),
  change({
    ...removing(words.act.remove),
    isFor: isAtRest,
    confirm: ({ name, state }) => ({
      title: words.removeTitle(name),
      text: <p>{state === 'draft' ? words.removeDraft : words.removeText}</p>,
      typed: state === 'draft' ? undefined : name,
    }),
    operation: 'deleteCampaign',
    args: asShown,
    done: ({ name }) => done.removed(name),
    goTo: () => ['campaigns'],
  }),
];

/** How many got it, and how many will not. */
function CancelText({ campaign }: { readonly campaign: Campaign }) {
  const { data } = useRead('readCampaignStats', { path: named(campaign, useApp().id).path });
  const progress = data?.progress;
  const left = progress == null ? undefined : Math.max(progress.total - progress.done, 0);
  return <p>{words.cancelText(data?.sent ?? 0, left)}</p>;
}
