// Gives a step of a live journey another message, or other words.

import { useState } from 'react';
import type { Journey } from '../../api/generated.ts';
import { useAct } from '../../api/queries.ts';
import { useApp, useRefusal } from '../../api/session-context.tsx';
import { type MessageChoice, MessageField } from '../../canvas/message-field.tsx';
import type { SendStep } from '../../canvas/model.ts';
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
  const [typed, setTyped] = useState<{ readonly value: MessageChoice; readonly base: Journey }>();
  const { value, base } = typed ?? { value: messageOf(step), base: journey };
  const correct = useAct('correctStep');
  const errorOf = (field: string) => correct.error?.of(field);
  const hasPlace = (correct.error?.issues.length ?? 0) > 0;
  return (
    <div className="stack">
      <MessageField
        value={value}
        onChange={(next) => setTyped((before) => ({ value: next, base: before?.base ?? journey }))}
        errorOf={errorOf}
      />
      {correct.error !== undefined && !hasPlace && <ErrorNote error={correct.error} />}
      <p className="field-hint">{words.correctHint}</p>
      <Button
        refused={refused}
        isBusy={correct.isPending}
        onClick={() =>
          correct.mutate(
            {
              path: { appId: app.id, id: journey.id, stepId: step.id },
              body: value,
              base,
            },
            {
              onGivenUp: () => setTyped(undefined),
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
