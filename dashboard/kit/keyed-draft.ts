// The draft of a thing that people name by its key: kept by the key, and at its own address once it
// is created.

import { useLocation } from 'wouter';
import type { Version } from '../api/saves.ts';
import { useApp } from '../api/session-context.tsx';
import { appPath } from '../ui/address.ts';
import { keptKey } from '../ui/kept-store.ts';
import { keyPlace } from '../ui/thing-key.ts';
import { tellDone } from '../ui/toast.tsx';
import { type DraftTools, useDraft } from './draft.ts';

type Options<Draft extends object, Saved extends Version> = Parameters<
  typeof useDraft<Draft, Saved>
>[0];

export function useKeyedDraft<
  Draft extends object,
  Saved extends Version & { readonly key: string },
>({
  noun,
  screen,
  told,
  ...options
}: Omit<Options<Draft, Saved>, 'keptAs' | 'onSaved'> & {
  readonly noun: string;
  readonly screen: string;
  readonly told: { readonly created: string; readonly saved: string };
}): DraftTools<Draft, Saved> {
  const app = useApp();
  const [, go] = useLocation();
  return useDraft<Draft, Saved>({
    ...options,
    keptAs: (thing) => keptKey(noun, app.id, thing?.key ?? `new ${noun}`),
    onSaved: ({ key }, isNew) => {
      tellDone(isNew ? told.created : told.saved);
      if (isNew) go(appPath(app.id, ...keyPlace(screen, key)), { replace: true });
    },
  });
}
