// Channels and a name that nobody chose follow the message: a campaign begins with the channels
// that it is written for, and with its name.

import { useEffect, useRef } from 'react';
import type { Channel } from '../../../api/generated.ts';
import { useRead } from '../../../api/queries.ts';
import { useApp } from '../../../api/session-context.tsx';
import { writtenForOf } from '../../../ui/written-for.ts';
import type { Draft } from './draft.ts';

/** What a message has set. */
interface Settled {
  readonly id: string | undefined;
  readonly written?: readonly Channel[] | undefined;
  readonly ownName?: string;
}

/** `known`: the message whose channels were settled before. The channels, while they are preset. */
export function usePreset(
  draft: Draft,
  known: string | undefined,
  change: (part: Partial<Draft>) => void,
): readonly Channel[] | undefined {
  const app = useApp();
  const { messageId, hasChannels, channels, name } = draft;
  const { data } = useRead(
    'readMessage',
    { path: { appId: app.id, id: messageId ?? '' } },
    { enabled: messageId !== undefined },
  );
  const settled = useRef<Settled>({ id: known });
  const written = data === undefined || data.id !== messageId ? undefined : writtenForOf(data);
  useEffect(() => {
    if (data === undefined || data.id !== messageId) return;
    const before = settled.current;
    const ownName = data.name ?? data.title ?? '';
    settled.current = { id: messageId, written, ownName };
    if (before.id === messageId) return;
    const isNamed = name.trim() !== '' && name !== before.ownName;
    const named = isNamed ? {} : { name: ownName };
    const isOwn = hasChannels && !isSame(channels, before.written);
    if (isOwn) change(named);
    else change({ ...named, hasChannels: written !== undefined, channels: written ?? [] });
  }, [data, messageId, written, hasChannels, channels, name, change]);
  return hasChannels && isSame(channels, written) ? written : undefined;
}

function isSame(one: readonly Channel[], other: readonly Channel[] | undefined): boolean {
  return other !== undefined && [...one].sort().join() === [...other].sort().join();
}
