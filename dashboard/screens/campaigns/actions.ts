// What one can do with a campaign, and in which states.

import { useLocation } from 'wouter';
import type { Campaign } from '../../api/generated.ts';
import { useAct } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { appPath } from '../../ui/address.ts';
import { tellDone, tellError } from '../../ui/toast.tsx';
import { words } from './words.ts';

/** Operations whose answers change with a campaign. */
type State = Campaign['state'];

const over: readonly State[] = ['completed', 'canceled', 'failed'];

export function may(campaign: Campaign) {
  const { state, archivedAt, schedule } = campaign;
  const isAtRest = state === 'draft' || over.includes(state);
  return {
    pause: state === 'sending' || state === 'scheduled',
    resume: state === 'paused',
    cancel: state === 'sending' || state === 'scheduled' || state === 'paused',
    unschedule: state === 'scheduled',
    edit: state === 'scheduled' && schedule.type === 'recurring',
    archive: isAtRest && archivedAt === null,
    unarchive: archivedAt !== null,
    remove: isAtRest,
  };
}

/** Acts on one campaign. Refusals are told in the corner, in the server's words. */
export function useCampaignActions(campaign: Campaign) {
  const { id, name } = campaign;
  const app = useApp();
  const [, go] = useLocation();
  const path = { appId: app.id, id };
  const pause = useAct('pauseCampaignOfApp');
  const resume = useAct('resumeCampaignOfApp');
  const cancel = useAct('cancelCampaignOfApp');
  const unschedule = useAct('unscheduleCampaignOfApp');
  const archive = useAct('archiveCampaignOfApp');
  const unarchive = useAct('unarchiveCampaignOfApp');
  const duplicate = useAct('duplicateCampaignOfApp');
  const remove = useAct('deleteCampaign');
  const telling = (text: string, then?: () => void) => ({
    onSuccess: () => {
      tellDone(text);
      then?.();
    },
    onError: (error: Error) => tellError(error.message),
  });
  const { done } = words;
  return {
    isBusy: [pause, resume, cancel, unschedule, remove].some((one) => one.isPending),
    pause: () => pause.mutate({ path }, telling(done.paused)),
    resume: () => resume.mutate({ path }, telling(done.resumed)),
    cancel: (then: () => void) => cancel.mutate({ path }, telling(done.canceled, then)),
    unschedule: () => unschedule.mutate({ path }, telling(done.unscheduled)),
    unarchive: () => unarchive.mutate({ path }, telling(done.unarchived)),
    archive: () =>
      archive.mutate(
        { path },
        {
          ...telling(''),
          onSuccess: () =>
            tellDone(done.archived(name), {
              label: words.undo,
              run: () => unarchive.mutate({ path }),
            }),
        },
      ),
    duplicate: () =>
      duplicate.mutate(
        { path, body: {} },
        {
          ...telling(''),
          onSuccess: (made) => {
            tellDone(done.duplicated(made.name));
            go(appPath(app.id, 'campaigns', made.id));
          },
        },
      ),
    remove: (then: () => void) =>
      remove.mutate({ path, base: campaign }, telling(done.removed(name), then)),
  };
}
