// Disconnects an integration, after its name was typed.

import { useState } from 'react';
import { useAct } from '../../api/queries.ts';
import type { Version } from '../../api/saves.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { tellDone } from '../../ui/toast.tsx';
import { words } from './words.ts';

const text = words.webhook;

export function Disconnect({
  type,
  base,
  explanation = text.removeText,
  onDone,
}: {
  readonly type: string;
  readonly base: Version;
  readonly explanation?: string;
  readonly onDone: () => void;
}) {
  const app = useApp();
  const refused = useRefusal('admin');
  const [isAsking, setAsking] = useState(false);
  const cdp = useAct('deleteCdp');
  const other = useAct('deleteIntegration');
  const act = type === 'cdp' ? cdp : other;
  const done = {
    onSuccess: () => {
      tellDone(text.removed(type));
      onDone();
    },
  };
  return (
    <div className="row">
      <Button kind="danger" refused={refused} onClick={() => setAsking(true)}>
        {text.remove}
      </Button>
      <Confirm
        isOpen={isAsking}
        title={text.removeTitle(type)}
        action={text.remove}
        typed={type}
        isBusy={act.isPending}
        error={act.error?.message}
        onClose={() => setAsking(false)}
        onConfirm={() =>
          type === 'cdp'
            ? cdp.mutate({ path: { appId: app.id }, base }, done)
            : other.mutate({ path: { appId: app.id, type }, base }, done)
        }
      >
        {explanation}
      </Confirm>
    </div>
  );
}
