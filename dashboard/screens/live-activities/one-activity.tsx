// One Live Activity: its content as JSON, checked against Apple's 4 KB while one types.

import { useState } from 'react';
import type { LiveActivity } from '../../api/generated.ts';
import { useAct } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { actionsOn, named } from '../../kit/action.ts';
import { ActionButton } from '../../kit/action-view.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { count } from '../../ui/figure.tsx';
import { TextArea } from '../../ui/input.tsx';
import { ErrorNote } from '../../ui/note.tsx';
import { tellDone } from '../../ui/toast.tsx';
import { ActivityFacts } from './activity-facts.tsx';
import { type Alert, AlertFields } from './alert-fields.tsx';
import { words } from './words.ts';

type Content = Readonly<Record<string, unknown>>;

const bytesMax = 4_096;

interface Ended {
  readonly activity: LiveActivity;
  readonly contentState: Content;
}

const end = actionsOn<Ended>()({
  id: 'end',
  label: words.end,
  needs: 'send',
  confirm: () => ({ title: words.endTitle, text: words.endText }),
  operation: 'endLiveActivity',
  args: ({ activity, contentState }, appId) => ({
    ...named(activity, appId),
    body: { contentState },
  }),
  done: () => words.ended,
});

export function OneActivity({ activity }: { readonly activity: LiveActivity }) {
  const app = useApp();
  const refused = useRefusal('send');
  const [text, setText] = useState('{\n  "status": "on its way"\n}');
  const [alert, setAlert] = useState<Alert>({ isOn: false, title: '', body: '' });
  const update = useAct('updateLiveActivity');
  const { contentState, hint, wrong } = contentOf(text);
  const { error } = update;
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
            <ActionButton
              action={end}
              thing={{ activity, contentState: contentState ?? {} }}
              kind="danger"
              isDisabled={wrong !== undefined}
            />
          </div>
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

function objectOf(text: string): Content | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return value as Content;
  } catch {
    return undefined;
  }
}
