// The news in the corner, drawn.

import { Toast } from '@base-ui/react/toast';
import { useEffect } from 'react';
import { words } from '../words/en.ts';
import { Button, IconButton } from './button.tsx';
import { Icon } from './icon.tsx';
import { type News, onNews } from './toast.tsx';

const manager = Toast.createToastManager();

export function ToastCorner() {
  useEffect(() => onNews(add), []);
  return (
    <Toast.Provider toastManager={manager}>
      <Toast.Portal>
        <Toast.Viewport className="toasts">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

/** What failed stays until it is closed. */
function add({ text, isError, undo }: News): void {
  if (isError) manager.add({ title: text, type: 'error', timeout: 0, priority: 'high' });
  else manager.add({ title: text, type: 'done', timeout: undo ? 10_000 : 5_000, data: { undo } });
}

function ToastList() {
  const { toasts, close } = Toast.useToastManager();
  return toasts.map((toast) => {
    const { undo } = (toast.data ?? {}) as Pick<News, 'undo'>;
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
