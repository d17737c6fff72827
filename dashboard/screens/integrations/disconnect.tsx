// Disconnects an integration, after its name was typed.

import type { Version } from '../../api/saves.ts';
import { actionsOn } from '../../kit/action.ts';
import { ActionButton } from '../../kit/action-view.tsx';
import { words } from './words.ts';

const text = words.webhook;

interface Connection {
  readonly type: string;
  readonly base: Version;
  readonly explanation?: string;
}

const act = actionsOn<Connection>();
const common = {
  label: text.remove,
  needs: 'admin',
  confirm: ({ type, explanation = text.removeText }: Connection) => ({
    title: text.removeTitle(type),
    text: explanation,
    typed: type,
  }),
  done: ({ type }: Connection) => text.removed(type),
} as const;

const disconnectCdp = act({
  ...common,
  id: 'cdp',
  operation: 'deleteCdp',
  args: ({ base }, appId) => ({ path: { appId }, base }),
});

const disconnectOther = act({
  ...common,
  id: 'other',
  operation: 'deleteIntegration',
  args: ({ type, base }, appId) => ({ path: { appId, type }, base }),
});

export function Disconnect({ onDone, ...one }: Connection & { readonly onDone: () => void }) {
  const action = one.type === 'cdp' ? disconnectCdp : disconnectOther;
  return (
    <div className="row">
      <ActionButton action={action} thing={one} kind="danger" onDone={onDone} />
    </div>
  );
}
