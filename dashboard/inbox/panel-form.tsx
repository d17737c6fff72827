// A form of a panel: it posts what `body` returns to a control route, and shows why that failed.

import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { useControlChange } from './control.ts';

export function PanelForm({
  label,
  path,
  body,
  action,
  onDone,
  children,
}: {
  readonly label: string;
  readonly path: string;
  /** May throw a sentence. */
  readonly body: () => unknown;
  /** What the button says. */
  readonly action: string;
  readonly onDone?: () => void;
  readonly children: ReactNode;
}) {
  const { problem, setProblem, change } = useControlChange(path);
  const submit = async () => {
    try {
      if (await change('POST', body())) onDone?.();
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <form
      className="card card-body inbox-form"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {children}
      <Button type="submit" kind="primary">
        {action}
      </Button>
      {problem !== undefined && (
        <p className="field-error" role="alert">
          <Icon name="warning" />
          {problem}
        </p>
      )}
    </form>
  );
}
