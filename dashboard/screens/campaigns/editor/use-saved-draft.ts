// The draft of a campaign's editor: what is saved, under what the browser kept, saved again while
// one writes.

import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Campaign } from '../../../api/generated.ts';
import { useApp, useRefusal } from '../../../api/session-context.tsx';
import { appPath, withParams } from '../../../ui/address.ts';
import { rebased } from '../../../ui/draft.ts';
import { keptDraft, useAutosave } from './autosave.ts';
import { blankDraft, type Draft, draftOf } from './draft.ts';

export function useSavedDraft(
  campaign: Campaign | undefined,
  onMade: ((id: string) => void) | undefined,
) {
  const app = useApp();
  const [, go] = useLocation();
  const refused = useRefusal('write');
  const [kept] = useState(() => keptDraft(app.id, campaign));
  const [initial] = useState(() => fresh(campaign, app.timezone));
  const [draft, setDraft] = useState<Draft>(() => withNamedMessage(initial, kept?.draft, campaign));
  const drafted = (one: Campaign) => fresh(one, app.timezone);
  const saving = useAutosave({
    appId: app.id,
    campaign,
    draft,
    initial,
    older: kept?.older,
    isRefused: refused !== undefined,
    onMerged: (sent, before, now) =>
      setDraft((typed) => rebased(typed, sent, drafted(before), drafted(now))),
    onTheirs: (theirs) => setDraft(drafted(theirs)),
    draftOf: drafted,
    onMade: (id) => {
      onMade?.(id);
      // The named message is in the draft from now on.
      const rest = new URLSearchParams(location.search);
      rest.delete('message');
      go(withParams(appPath(app.id, 'campaigns', id), Object.fromEntries(rest)), { replace: true });
    },
  });
  return { draft, setDraft, kept, firstMessageId: (kept?.draft ?? initial).messageId, saving };
}

/** `?message=` names the message of a new campaign. */
function withNamedMessage(initial: Draft, kept: Draft | undefined, campaign: unknown): Draft {
  const message = new URLSearchParams(location.search).get('message');
  const named = campaign === undefined && message !== null ? { messageId: message } : {};
  const draft = { ...initial, ...kept, ...named };
  return kept === undefined && message === null ? initial : draft;
}

function fresh(campaign: Campaign | undefined, zone: string): Draft {
  return campaign === undefined
    ? blankDraft(zone, Date.now())
    : draftOf(campaign, zone, Date.now());
}
