// The last look before a journey goes live: who starts, what is sent, what would have been.

import { useState } from 'react';
import type { Journey } from '../../api/generated.ts';
import { useAct, useRead } from '../../api/queries.ts';
import { allSteps, stepsOf } from '../../canvas/model.ts';
import { useApp } from '../../frame/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Check } from '../../ui/choices.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { count } from '../../ui/figure.tsx';
import { ErrorNote, Note } from '../../ui/note.tsx';
import { tellDone } from '../../ui/toast.tsx';
import { words as shared } from '../../words/en.ts';
import { Difference } from './difference.tsx';
import { draftOf } from './draft.ts';
import { useOriginal } from './original.ts';
import { words } from './words.ts';

const text = words.switch;
const refreshes = ['readJourney', 'listJourneys', 'readJourneyStats'] as const;

export function Activate({
  journey,
  onClose,
}: {
  readonly journey: Journey;
  readonly onClose: () => void;
}) {
  const app = useApp();
  const path = { appId: app.id, id: journey.id };
  const original = useOriginal(journey.id);
  const isReplacing = original?.active === true;
  const [withExisting, setExisting] = useState(false);
  const [isSure, setSure] = useState(false);
  const [pausesOther, setPausesOther] = useState(true);
  const activate = useAct('updateJourney', refreshes);
  const pause = useAct('updateJourney', refreshes);
  const warnings = journey.warnings ?? [];
  const error = activate.error ?? pause.error;

  const go = async () => {
    try {
      await activate.mutateAsync({
        path,
        body: {
          active: true,
          ...(withExisting ? { enrollExisting: true } : {}),
          ...(warnings.length > 0 ? { confirmWarnings: true } : {}),
        },
      });
      if (isReplacing && pausesOther)
        await pause.mutateAsync({
          path: { appId: app.id, id: original.id },
          body: { active: false },
        });
      tellDone(withExisting ? text.existingStarted : text.activated);
      onClose();
    } catch {
      // The dialog shows the error.
    }
  };
  return (
    <Dialog
      title={text.activateTitle(journey.name)}
      isOpen
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{shared.dialog.cancel}</Button>
          <Button
            kind="primary"
            isBusy={activate.isPending || pause.isPending}
            isDisabled={warnings.length > 0 && !isSure}
            onClick={() => void go()}
          >
            {text.activate}
          </Button>
        </>
      }
    >
      <WhatHappens journey={journey} />
      {journey.triggerSegmentId !== null && (
        <Existing
          segmentId={journey.triggerSegmentId}
          isChecked={withExisting}
          onChange={setExisting}
        />
      )}
      {isReplacing && (
        <div className="stack-tight">
          <Check isChecked={pausesOther} onChange={setPausesOther}>
            {text.pauseOther(original.name)}
          </Check>
          {pausesOther && <WhoLeaves id={original.id} />}
        </div>
      )}
      <Difference journey={journey} draft={draftOf(journey)} />
      {warnings.length > 0 && (
        <Note tone="notice">
          <Check isChecked={isSure} onChange={setSure}>
            {text.confirmWarnings}
          </Check>
          <ul>
            {warnings.map(({ field, warning }) => (
              <li key={field}>{warning}</li>
            ))}
          </ul>
        </Note>
      )}
      {error !== undefined && <ErrorNote error={error} />}
    </Dialog>
  );
}

function WhoLeaves({ id }: { readonly id: string }) {
  const app = useApp();
  const { data } = useRead('readJourneyStats', { path: { appId: app.id, id } });
  return data === undefined ? null : <p className="soft">{text.pauseOtherText(data.inFlow)}</p>;
}

function WhatHappens({ journey }: { readonly journey: Journey }) {
  const app = useApp();
  const { triggerEvent, triggerSegmentId, reentry, steps } = journey;
  const segment = useRead(
    'readSegment',
    { path: { appId: app.id, id: triggerSegmentId ?? '' } },
    { enabled: triggerSegmentId !== null },
  );
  // Exact for events only: who entered a segment in the past is not known.
  const forecast = useRead(
    'forecastJourney',
    { path: { appId: app.id, id: journey.id }, body: { days: 30 } },
    { enabled: triggerSegmentId === null },
  );
  const sends = allSteps(stepsOf(steps)).filter(({ step }) => step.type === 'send').length;
  return (
    <ul className="plain-list">
      <li>
        {triggerSegmentId === null
          ? text.activateEvent(triggerEvent ?? '')
          : text.activateSegment(segment.data?.name ?? triggerSegmentId)}{' '}
        {text[reentry]}
      </li>
      <li>{text.messages(sends)}</li>
      <li>{text.frozen}</li>
      {forecast.data !== undefined && (
        <li>{text.forecast(forecast.data.enrolled, forecast.data.sends.total)}</li>
      )}
    </ul>
  );
}

function Existing({
  segmentId,
  isChecked,
  onChange,
}: {
  readonly segmentId: string;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}) {
  const app = useApp();
  const { data } = useRead('countSegment', { path: { appId: app.id, id: segmentId } });
  return (
    <Check isChecked={isChecked} onChange={onChange}>
      {data === undefined ? text.existingOne : text.existing(count(data.count))}
    </Check>
  );
}
