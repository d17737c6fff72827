// Short news in the corner: what was done, what failed, and a way to take it back.

import { Toast } from '@base-ui/react/toast';
import type { ReactNode } from 'react';
import { words } from '../words/en.ts';
import { Button, IconButton } from './button.tsx';
import { Icon } from './icon.tsx';

const manager = Toast.createToastManager();

interface Undo {
  readonly label: string;
  readonly run: () => void;
}

/** Says that something is done. */
export function tellDone(text: string, undo?: Undo): void {
  manager.add({ title: text, type: 'done', timeout: undo ? 10_000 : 5_000, data: { undo } });
}

/** Says that something failed; stays until it is closed. */
export function tellError(text: string): void {
  manager.add({ title: text, type: 'error', timeout: 0, priority: 'high' });
}

export function Toasts({ children }: { readonly children: ReactNode }) {
  return (
    <Toast.Provider toastManager={manager}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="toasts">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function ToastList() {
  const { toasts, close } = Toast.useToastManager();
  return toasts.map((toast) => {
    const { undo } = (toast.data ?? {}) as { readonly undo?: Undo };
    return (
      <Toast.Root key={toast.id} toast={toast} className="toast">
        <Icon name={toast.type === 'error' ? 'warning' : 'check'} />
        <Toast.Title render={<p className="grow" />} />
        {undo !== undefined && (
          <Button
            size="small"
            onClick={() => {
              undo.run();
              close(toast.id);
            }}
          >
            {undo.label}
          </Button>
        )}
        <IconButton
          label={words.dialog.close}
          icon="close"
          size="small"
          onClick={() => close(toast.id)}
        />
      </Toast.Root>
    );
  });
}
