// The button in an editor's head that deletes what it edits, asks first, and leads to the list.

import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import type { ApiError } from '../api/errors.ts';
import { useRefusal } from '../api/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { tellDone } from '../ui/toast.tsx';

export function RemoveButton({
  label,
  title,
  typed,
  done,
  list,
  act,
  run,
  onRemoved,
  children,
}: {
  readonly label: string;
  readonly title: string;
  /** What a person types, where it cannot be taken back. */
  readonly typed?: string;
  /** Said once it is deleted. */
  readonly done: string;
  /** The address of the list. */
  readonly list: string;
  readonly act: { readonly isPending: boolean; readonly error: ApiError | undefined };
  readonly run: (then: { readonly onSuccess: () => void }) => void;
  /** Before its editor is left. */
  readonly onRemoved: () => void;
  /** What is lost. */
  readonly children: ReactNode;
}) {
  const [, go] = useLocation();
  const [isAsking, setAsking] = useState(false);
  const refused = useRefusal('write');
  const onSuccess = () => {
    tellDone(done);
    onRemoved();
    go(list);
  };
  return (
    <>
      <Button icon="trash" refused={refused} onClick={() => setAsking(true)}>
        {label}
      </Button>
      <Confirm
        title={title}
        action={label}
        {...(typed !== undefined && { typed })}
        isOpen={isAsking}
        isBusy={act.isPending}
        error={act.error?.message}
        onClose={() => setAsking(false)}
        onConfirm={() => run({ onSuccess })}
      >
        {children}
      </Confirm>
    </>
  );
}
