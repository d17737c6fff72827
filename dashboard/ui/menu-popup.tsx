// A menu with its button, from when it was first opened.

import { Menu as Base } from '@base-ui/react/menu';
import { useLayoutEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import type { MenuProps } from './above-page.ts';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';

/** Opens at once: it was loaded because its button was pressed. */
export function MenuPopup({ trigger, items }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    // It takes the place of the button that was pressed, which had the focus.
    button.current?.focus({ preventScroll: true });
    button.current?.click();
  }, []);
  const [, go] = useLocation();
  return (
    <Base.Root>
      <Base.Trigger ref={button} render={trigger} />
      <Base.Portal>
        <Base.Positioner className="popup-layer" sideOffset={4} align="end" collisionPadding={8}>
          <Base.Popup className="popup">
            {items.map((item) => {
              if ('line' in item) return <Base.Separator key={item.line} className="popup-line" />;
              if ('heading' in item)
                return (
                  <div key={item.heading} className="popup-label">
                    {item.heading}
                  </div>
                );
              return (
                <Base.Item
                  key={item.label}
                  className={classNames('popup-item', item.isDanger === true && 'danger')}
                  disabled={item.refused !== undefined}
                  title={item.refused}
                  onClick={() => (item.to === undefined ? item.onChoose?.() : go(item.to))}
                >
                  {item.icon !== undefined && <Icon name={item.icon} />}
                  {item.isChecked === true && <Icon name="check" />}
                  <span>
                    {item.label}
                    {item.refused !== undefined && (
                      <span className="touch-reason">{item.refused}</span>
                    )}
                  </span>
                  {item.hint !== undefined && <span className="end">{item.hint}</span>}
                </Base.Item>
              );
            })}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
