// A secret, shown once: the dialog closes only after one says that it was copied, and nothing keeps
// the text after that.

import { type ReactNode, useState } from 'react';
import { words } from '../words/en.ts';
import { Button } from './button.tsx';
import { Check } from './choices.tsx';
import { CodeLine } from './code.tsx';
import { Dialog } from './dialog.tsx';
import { useLeaveGuard } from './leave-guard.ts';
import { Note } from './note.tsx';

interface SecretLine {
  readonly label: string;
  readonly text: string;
}

export function SecretDialog({
  title,
  lines,
  children,
  next,
  onClose,
}: {
  readonly title: string;
  /** The secret, and ready lines that have it: for a `.env` file, as a command. */
  readonly lines: readonly SecretLine[];
  /** What to do with it. */
  readonly children?: ReactNode;
  /** Where one may go on from here. */
  readonly next?: { readonly label: string; readonly run: () => void };
  readonly onClose: () => void;
}) {
  const [isKept, setKept] = useState(false);
  const [isTold, setTold] = useState(false);
  useLeaveGuard({ isAtRisk: () => !isKept, ask: () => setTold(true) });
  const close = () => (isKept ? onClose() : setTold(true));
  return (
    <Dialog
      title={title}
      isOpen
      isWide
      onClose={close}
      foot={
        <>
          {next !== undefined && (
            <Button isDisabled={!isKept} onClick={next.run}>
              {next.label}
            </Button>
          )}
          <Button kind="primary" isDisabled={!isKept} onClick={close}>
            {words.secret.done}
          </Button>
        </>
      }
    >
      <Note tone="notice">{words.secret.once}</Note>
      {lines.map(({ label, text }) => (
        <CodeBlock key={label} label={label} text={text} />
      ))}
      {children}
      <Check isChecked={isKept} onChange={setKept}>
        {words.secret.kept}
      </Check>
      {isTold && !isKept && (
        <p className="field-error" role="alert">
          {words.secret.first}
        </p>
      )}
    </Dialog>
  );
}

/** A command or an address with its name above it. */
export function CodeBlock({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div className="stack-tight">
      <h3>{label}</h3>
      <CodeLine text={text} />
    </div>
  );
}
