// Gives a step of a live journey another message, or other words.

import { useState } from 'react';
import type { Journey } from '../../api/generated.ts';
import { useAct } from '../../api/queries.ts';
import { type MessageChoice, MessageField } from '../../canvas/message-field.tsx';
import type { SendStep } from '../../canvas/model.ts';
import { useApp, useRefusal } from '../../frame/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/note.tsx';
import { tellDone } from '../../ui/toast.tsx';
import { words } from './words.ts';

export function CorrectMessage({
  journey,
  step,
  onDone,
}: {
  readonly journey: Journey;
  readonly step: SendStep;
  readonly onDone: (journey: Journey) => void;
}) {
  const app = useApp();
  const refused = useRefusal('write');
  const [value, setValue] = useState<MessageChoice>(messageOf(step));
  const correct = useAct('correctStep', ['readJourney', 'listJourneys']);
  const errorOf = (field: string) => correct.error?.of(field);
  const hasPlace = (correct.error?.issues.length ?? 0) > 0;
  return (
    <div className="stack">
      <MessageField value={value} onChange={setValue} errorOf={errorOf} />
      {correct.error !== undefined && !hasPlace && <ErrorNote error={correct.error} />}
      <p className="field-hint">{words.correctHint}</p>
      <Button
        refused={refused}
        isBusy={correct.isPending}
        onClick={() =>
          correct.mutate(
            { path: { appId: app.id, id: journey.id, stepId: step.id }, body: value },
            {
              onSuccess: (answer) => {
                tellDone(words.corrected);
                onDone(answer);
              },
            },
          )
        }
      >
        {words.correct}
      </Button>
    </div>
  );
}

function messageOf({ messageId, message }: SendStep): MessageChoice {
  if (message !== undefined) return { message };
  return messageId === undefined ? {} : { messageId };
}
