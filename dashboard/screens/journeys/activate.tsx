// The last look before a journey goes live: who starts, what is sent, what would have been.

import { useState } from 'react';
import type { Journey } from '../../api/generated.ts';
import { useAct, useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { allSteps, stepsOf } from '../../canvas/model.ts';
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
  const [replaces, setReplaces] = useState(true);
  const activate = useAct('updateJourney');
  const warnings = journey.warnings ?? [];
  const go = () => {
    const body = {
      active: true,
      ...(withExisting && { enrollExisting: true }),
      ...(isReplacing && replaces && { replaces: original.id }),
      ...(warnings.length > 0 && { confirmWarnings: true }),
    };
    const onSuccess = () => {
      tellDone(withExisting ? text.existingStarted : text.activated);
      onClose();
    };
    activate.mutate({ path, body, base: journey }, { onSuccess });
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
            isBusy={activate.isPending}
            isDisabled={warnings.length > 0 && !isSure}
            onClick={go}
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
        <Replaced
          original={original}
          isOnce={journey.reentry === 'once'}
          isChecked={replaces}
          onChange={setReplaces}
        />
      )}
      <Difference journey={journey} draft={draftOf(journey)} />
      {warnings.length > 0 && <Warned warnings={warnings} isSure={isSure} onChange={setSure} />}
      {activate.error !== undefined && <ErrorNote error={activate.error} />}
    </Dialog>
  );
}

function Warned({
  warnings,
  isSure,
  onChange,
}: {
  readonly warnings: NonNullable<Journey['warnings']>;
  readonly isSure: boolean;
  readonly onChange: (isSure: boolean) => void;
}) {
  if (warnings.length === 0) return null;
  return (
    <Note tone="notice">
      <Check isChecked={isSure} onChange={onChange}>
        {text.confirmWarnings}
      </Check>
      <ul>
        {warnings.map(({ field, warning }) => (
          <li key={field}>{warning}</li>
        ))}
      </ul>
    </Note>
  );
}

function Replaced({
  original,
  isOnce,
  isChecked,
  onChange,
}: {
  readonly original: Journey;
  readonly isOnce: boolean;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}) {
  return (
    <div className="stack-tight">
      <Check isChecked={isChecked} onChange={onChange}>
        {text.replace(original.name)}
      </Check>
      {isChecked && <WhoLeaves id={original.id} isOnce={isOnce} />}
    </div>
  );
}

function WhoLeaves({ id, isOnce }: { readonly id: string; readonly isOnce: boolean }) {
  const app = useApp();
  const { data } = useRead('readJourneyStats', { path: { appId: app.id, id } });
  if (data === undefined) return null;
  const again = isOnce && data.enrolled > 0 ? ` ${text.replaceOnce}` : '';
  return (
    <p className="soft">
      {text.leaveOther(data.inFlow)}
      {again}
    </p>
  );
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
