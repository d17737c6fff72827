// Asks before failed messages are sent again, and counts them while it goes on.

import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { count } from '../../ui/figure.tsx';
import { ErrorNote, Note } from '../../ui/note.tsx';
import { tellDone } from '../../ui/toast.tsx';
import { words as shared } from '../../words/en.ts';
import { type Redriven, useRedrive } from './use-redrive.ts';
import { words } from './words.ts';

export interface Asked {
  readonly what: Redriven;
  /** What the button says. */
  readonly action: string;
  /** Some of them may have arrived, and would arrive twice. */
  readonly mayRepeat: boolean;
}

export function RedriveDialog({
  asked,
  onClose,
  onDone,
}: {
  readonly asked: Asked | undefined;
  readonly onClose: () => void;
  readonly onDone?: () => void;
}) {
  const { run, done, isBusy, error, reset } = useRedrive();
  const close = () => {
    reset();
    onClose();
  };
  const go = async () => {
    if (asked === undefined) return;
    const redriven = await run(asked.what);
    if (redriven === undefined) return;
    tellDone(redriven === 0 ? words.redrivenNone : words.redriven(redriven));
    onDone?.();
    onClose();
  };
  return (
    <Dialog
      title={words.redriveTitle}
      isOpen={asked !== undefined}
      onClose={close}
      foot={
        <>
          <Button onClick={close}>{shared.dialog.cancel}</Button>
          <Button kind="primary" icon="refresh" isBusy={isBusy} onClick={() => void go()}>
            {asked?.action}
          </Button>
        </>
      }
    >
      <p>{words.redriveText}</p>
      {asked?.mayRepeat === true && <Note tone="notice">{words.redriveMayRepeat}</Note>}
      {isBusy && done > 0 && <p role="status">{words.redrivenSoFar(count(done))}</p>}
      {error !== undefined && <ErrorNote error={error} />}
    </Dialog>
  );
}
