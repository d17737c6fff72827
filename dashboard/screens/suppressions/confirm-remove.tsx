// Asks before an address gets messages again.

import type { Suppression } from '../../api/generated.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { OptOutFacts } from './facts.tsx';
import { words } from './words.ts';

export function ConfirmRemove({
  asked,
  isBusy,
  error,
  onConfirm,
  onClose,
}: {
  readonly asked: Suppression | undefined;
  readonly isBusy: boolean;
  readonly error: string | undefined;
  readonly onConfirm: (one: Suppression) => void;
  readonly onClose: () => void;
}) {
  return (
    <Confirm
      title={words.removeTitle(asked?.address ?? '')}
      action={words.remove}
      isOpen={asked !== undefined}
      isBusy={isBusy}
      error={error}
      onClose={onClose}
      onConfirm={() => asked !== undefined && onConfirm(asked)}
    >
      <div className="stack">
        {asked !== undefined && <OptOutFacts of={asked} />}
        <p>{asked?.identity === 'phone' ? words.removePhone : words.removeText}</p>
      </div>
    </Confirm>
  );
}
