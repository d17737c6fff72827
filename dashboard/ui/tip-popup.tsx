// Shows the explanation (`Tip` in `button.tsx`) of the button that the pointer rests on, or that
// the keyboard came to. A finger does not rest: a tap shows why something is refused.

import { Tooltip } from '@base-ui/react/tooltip';
import { useEffect, useState } from 'react';

const delayMs = 400;

export function TipPopup() {
  const target = useTarget();
  const text = target?.dataset['tip'];
  if (text === undefined) return null;
  return (
    <Tooltip.Root open>
      <Tooltip.Portal>
        <Tooltip.Positioner
          className="popup-layer"
          anchor={target ?? null}
          sideOffset={6}
          collisionPadding={8}
        >
          {/* Screen readers have it from the button. */}
          <Tooltip.Popup className="tooltip" aria-hidden="true">
            {text}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}

function useTarget(): HTMLElement | undefined {
  const [target, setTarget] = useState<HTMLElement>();
  useEffect(() => {
    const listening = new AbortController();
    let over: HTMLElement | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hide = () => {
      clearTimeout(timer);
      setTarget(undefined);
    };
    const on = <Name extends keyof DocumentEventMap>(
      name: Name,
      run: (event: DocumentEventMap[Name]) => void,
    ) =>
      document.addEventListener(name, run, {
        signal: listening.signal,
        capture: true,
        passive: true,
      });
    on('pointerover', (event) => {
      const next = event.pointerType === 'touch' ? undefined : explained(event.target);
      if (next === over) return;
      over = next;
      hide();
      if (next !== undefined) timer = setTimeout(() => setTarget(next), delayMs);
    });
    const look = (focused: EventTarget | null) => {
      const next = explained(focused);
      if (next?.matches(':focus-visible') === true) setTarget(next);
      else hide();
    };
    on('click', (event) => {
      const tapped = explained(event.target);
      if (tapped?.ariaDisabled === 'true') setTarget(tapped);
    });
    look(document.activeElement); // the keyboard may have been there before this
    on('focusin', (event) => look(event.target));
    for (const name of ['focusout', 'pointerdown', 'keydown', 'scroll'] as const) on(name, hide);
    return () => {
      clearTimeout(timer);
      listening.abort();
    };
  }, []);
  return target?.isConnected === true ? target : undefined;
}

function explained(target: EventTarget | null): HTMLElement | undefined {
  if (!(target instanceof Element)) return undefined;
  return target.closest<HTMLElement>('[data-tip]') ?? undefined;
}
