// Deletes the app, after its name was typed.

import { useState } from 'react';
import { useLocation } from 'wouter';
import type { App } from '../../api/generated.ts';
import { useAct } from '../../api/queries.ts';
import { useRefusal, useSession } from '../../api/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Section } from '../../ui/section.tsx';
import { tellDone } from '../../ui/toast.tsx';
import { words } from './words.ts';

const text = words.remove;

export function DeleteApp({ app }: { readonly app: App }) {
  const { reload } = useSession();
  const [, go] = useLocation();
  const refused = useRefusal('admin');
  const [isAsking, setAsking] = useState(false);
  const remove = useAct('deleteApp');
  return (
    <Section id="delete" title={text.title} intro={text.intro}>
      <div className="row">
        <Button kind="danger" icon="trash" refused={refused} onClick={() => setAsking(true)}>
          {text.act}
        </Button>
      </div>
      <Confirm
        isOpen={isAsking}
        title={text.ask(app.name)}
        action={text.act}
        typed={app.name}
        isBusy={remove.isPending}
        error={remove.error?.message}
        onClose={() => setAsking(false)}
        onConfirm={() =>
          remove.mutate(
            { path: { appId: app.id }, base: app },
            {
              onSuccess: async () => {
                go('/');
                await reload();
                tellDone(text.done(app.name));
              },
            },
          )
        }
      >
        {text.text}
      </Confirm>
    </Section>
  );
}
