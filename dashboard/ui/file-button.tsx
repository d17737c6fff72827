// Chooses a small text file from the machine and reads it.

import { type ReactNode, useRef } from 'react';
import { Button } from './button.tsx';
import { tellError } from './toast.tsx';

export function FileButton({
  accept,
  children,
  onText,
}: {
  /** Endings: ".json,.p8". */
  readonly accept: string;
  readonly children: ReactNode;
  readonly onText: (text: string) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        onChange={(event) => {
          const file = event.target.files?.[0];
          // The same file can be chosen again after it was mended.
          event.target.value = '';
          file?.text().then(onText, (error: unknown) => tellError(String(error)));
        }}
      />
      <Button icon="upload" onClick={() => input.current?.click()}>
        {children}
      </Button>
    </>
  );
}
