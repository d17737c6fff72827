// One Live Activity: its content as JSON, checked against Apple's 4 KB while one types.

import { useState } from 'react';
import { Link } from 'wouter';
import type { LiveActivity } from '../../api/generated.ts';
import { useAct, useRead } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { personName } from '../../person/person-ref.ts';
import { appPath } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { Check } from '../../ui/choices.tsx';
import { Copyable } from '../../ui/code.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { count, Facts } from '../../ui/figure.tsx';
import { TextArea, TextInput } from '../../ui/input.tsx';
import { ErrorNote } from '../../ui/note.tsx';
import { tellDone } from '../../ui/toast.tsx';
import { words } from './words.ts';

const bytesMax = 4_096;

export function OneActivity({ activity }: { readonly activity: LiveActivity }) {
  const app = useApp();
  const refused = useRefusal('send');
  const [text, setText] = useState('{\n  "status": "on its way"\n}');
  const [isAlerting, setAlerting] = useState(false);
  const [title, setTitle] = useState('');
  const [body, setBody] = useState('');
  const [isEnding, setEnding] = useState(false);
  const update = useAct('updateLiveActivity');
  const end = useAct('endLiveActivity');
  const person = useRead('readSubscriber', {
    path: { appId: app.id, id: activity.subscriberId },
  });
  const contentState = objectOf(text);
  const used = new TextEncoder().encode(JSON.stringify(contentState ?? {})).length;
  const wrong =
    contentState === undefined ? words.notJson : used > bytesMax ? words.tooLong : undefined;
  const error = update.error ?? end.error;
  const path = { appId: app.id, id: activity.id };
  return (
    <>
      <Facts
        items={[
          [
            words.person,
            <Link key="p" to={appPath(app.id, 'people', activity.subscriberId)}>
              {person.data === undefined ? activity.subscriberId : personName(person.data)}
            </Link>,
          ],
          [words.id, <Copyable key="i" text={activity.id} />],
          ...(activity.attributes === null
            ? []
            : [
                [
                  words.attributes,
                  <code key="a">{JSON.stringify(activity.attributes, undefined, 1)}</code>,
                ] as const,
              ]),
        ]}
      />
      {activity.state === 'active' && (
        <>
          <Field
            label={words.contentState}
            hint={words.contentHint(count(used), count(bytesMax))}
            error={wrong ?? error?.of('contentState')}
          >
            <TextArea value={text} onChange={setText} rows={6} spellCheck={false} />
          </Field>
          <Check isChecked={isAlerting} onChange={setAlerting}>
            {words.alert}
          </Check>
          {isAlerting && (
            <div className="columns">
              <Field label={words.alertTitle} error={error?.of('alert.title')}>
                <TextInput value={title} onChange={setTitle} />
              </Field>
              <Field label={words.alertBody} error={error?.of('alert.body')}>
                <TextInput value={body} onChange={setBody} />
              </Field>
            </div>
          )}
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
                      ...(isAlerting ? { alert: { title, body } } : {}),
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

function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return value as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}
