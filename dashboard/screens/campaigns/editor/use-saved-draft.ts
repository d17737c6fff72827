// The draft of a campaign's editor, saved while one writes. Without a message the API takes no
// campaign yet.

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { Campaign } from '../../../api/generated.ts';
import { useAct } from '../../../api/queries.ts';
import { useApp } from '../../../api/session-context.tsx';
import { type DraftTools, useDraft } from '../../../kit/draft.ts';
import { appPath, useQueryParam, withParams } from '../../../ui/address.ts';
import { keptKey } from '../../../ui/kept-store.ts';
import { blankDraft, bodyOf, type CampaignBody, type Draft, draftOf } from './draft.ts';

export type CampaignTools = DraftTools<Draft, Campaign>;

export function useSavedDraft(
  campaign: Campaign | undefined,
  refused: string | undefined,
  onMade: ((id: string) => void) | undefined,
) {
  const app = useApp();
  const client = useQueryClient();
  const [, go] = useLocation();
  const create = useAct('createCampaign');
  const update = useAct('updateCampaign');
  const [blank] = useState(() => blankDraft(app.timezone, Date.now()));
  const drafted = (one: Campaign) => draftOf(one, app.timezone, Date.now());
  const path = { appId: app.id };
  const tools = useDraft<Draft, Campaign>({
    autosave: true,
    saved: campaign,
    start: blank,
    draftOf: drafted,
    isSame: (one, other) => JSON.stringify(bodyOf(one)) === JSON.stringify(bodyOf(other)),
    keptAs: (one) => keptKey('campaign', app.id, one?.id ?? 'new'),
    // What an older page did not know is as it is saved.
    restore: (kept) =>
      typeof kept.name === 'string'
        ? { ...blank, ...(campaign && drafted(campaign)), ...kept }
        : undefined,
    refused,
    isLacking: ({ messageId }) => messageId === undefined,
    send: (draft, now, base) =>
      now === undefined
        ? create.mutateAsync({ path, body: bodyOf(draft) as CampaignBody })
        : update.mutateAsync({ path: { ...path, id: now.id }, body: bodyOf(draft), base }),
    onSaved: (made, isNew) => {
      client.setQueryData(['readCampaignOfApp', { path: { ...path, id: made.id } }], made);
      if (!isNew) return;
      onMade?.(made.id);
      // The named message is in the draft from now on.
      const rest = new URLSearchParams(location.search);
      rest.delete('message');
      go(withParams(appPath(app.id, 'campaigns', made.id), Object.fromEntries(rest)), {
        replace: true,
      });
    },
  });
  const [firstMessageId] = useState(tools.draft.messageId);
  useNamedMessage(tools, campaign === undefined);
  return { tools, firstMessageId };
}

/** `?message=` names the message of a new campaign. */
function useNamedMessage({ change }: CampaignTools, isNew: boolean): void {
  const [named] = useQueryParam('message');
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each that is named
  useEffect(() => {
    if (isNew && named !== undefined) change({ messageId: named });
  }, [isNew, named]);
}
