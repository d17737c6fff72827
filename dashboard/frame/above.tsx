// What stands above the page when something calls for it, and what menus and dialogs are made of. It
// loads when the screen is there, so that the first paint does not wait for it.

import { useEffect, useState } from 'react';
import { loadSuggestions } from '../ui/combobox.tsx';
import { late } from '../ui/late.tsx';
import { loadMenus } from '../ui/menu.tsx';

const Tips = late(() => import('../ui/popups.tsx').then((file) => file.TipPopup));
const Toasts = late(() => import('../ui/popups.tsx').then((file) => file.ToastCorner));

const afterPaintMs = 1_000;

export function Above() {
  const [isTime, setTime] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      loadMenus();
      loadSuggestions();
      setTime(true);
    }, afterPaintMs);
    return () => clearTimeout(timer);
  }, []);
  if (!isTime) return null;
  return (
    <>
      <Tips />
      <Toasts />
    </>
  );
}
