// One Live Activity: its content as JSON, checked against Apple's 4 KB while one types.

import { useState } from 'react';
import type { LiveActivity } from '../../api/generated.ts';
import { useAct } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { count } from '../../ui/figure.tsx';
import { TextArea } from '../../ui/input.tsx';
import { ErrorNote } from '../../ui/note.tsx';
import { tellDone } from '../../ui/toast.tsx';
import { ActivityFacts } from './activity-facts.tsx';
import { type Alert, AlertFields } from './alert-fields.tsx';
import { words } from './words.ts';

const bytesMax = 4_096;

export function OneActivity({ activity }: { readonly activity: LiveActivity }) {
  const app = useApp();
  const refused = useRefusal('send');
  const [text, setText] = useState('{\n  "status": "on its way"\n}');
  const [alert, setAlert] = useState<Alert>({ isOn: false, title: '', body: '' });
  const [isEnding, setEnding] = useState(false);
  const update = useAct('updateLiveActivity');
  const end = useAct('endLiveActivity');
  const { contentState, hint, wrong } = contentOf(text);
  const error = update.error ?? end.error;
  const path = { appId: app.id, id: activity.id };
  return (
    <>
      <ActivityFacts activity={activity} />
      {activity.state === 'active' && (
        <>
          <Field label={words.contentState} hint={hint} error={wrong ?? error?.of('contentState')}>
            <TextArea value={text} onChange={setText} rows={6} spellCheck={false} />
          </Field>
          <AlertFields alert={alert} onChange={setAlert} error={error} />
          {error !== undefined && error.issues.length === 0 && <ErrorNote error={error} />}
          <div className="row">
            <Button
              kind="primary"
              refused={refused}
              isDisabled={wrong !== undefined}
              isBusy={update.isPending}
              onClick={() =>
                update.mutate(
                  {
                    path,
                    body: {
                      contentState: contentState ?? {},
                      ...(alert.isOn ? { alert: { title: alert.title, body: alert.body } } : {}),
                    },
                  },
                  { onSuccess: () => tellDone(words.updating) },
                )
              }
            >
              {words.update}
            </Button>
            <Button
              kind="danger"
              refused={refused}
              isDisabled={wrong !== undefined}
              onClick={() => setEnding(true)}
            >
              {words.end}
            </Button>
          </div>
          <Confirm
            title={words.endTitle}
            action={words.end}
            isOpen={isEnding}
            isBusy={end.isPending}
            error={end.error?.message}
            onClose={() => setEnding(false)}
            onConfirm={() =>
              end.mutate(
                { path, body: { contentState: contentState ?? {} } },
                {
                  onSuccess: () => {
                    tellDone(words.ended);
                    setEnding(false);
                  },
                },
              )
            }
          >
            {words.endText}
          </Confirm>
        </>
      )}
    </>
  );
}

/** The content that was typed, how long it is, and what is wrong with it. */
function contentOf(text: string) {
  const contentState = objectOf(text);
  const used = new TextEncoder().encode(JSON.stringify(contentState ?? {})).length;
  const wrong =
    contentState === undefined ? words.notJson : used > bytesMax ? words.tooLong : undefined;
  return { contentState, hint: words.contentHint(count(used), count(bytesMax)), wrong };
}

function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return value as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}
