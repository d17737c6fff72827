// What stands above the page when something calls for it: tips and news, with what menus and
// dialogs are made of. It loads when the screen is there: until then a phone has enough to do.

import { type ComponentType, useEffect, useState } from 'react';
import { loadSuggestions } from '../ui/combobox.tsx';
import { loadAhead, useLateAbove } from '../ui/late.tsx';

const tips = () => import('../ui/popups.tsx').then((file) => file.TipPopup);
const toasts = () => import('../ui/popups.tsx').then((file) => file.ToastCorner);

const afterPaintMs = 2_000;

export function Above() {
  const [isTime, setTime] = useState(false);
  useEffect(() => {
    // Again while the server is away: a failure must be told even if the page loaded just before
    // it.
    const timer = setInterval(async () => {
      loadSuggestions();
      if (!(await loadAhead(tips))) return;
      clearInterval(timer);
      setTime(true);
    }, afterPaintMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <>
      <LateAbove load={tips} isWanted={isTime} />
      <LateAbove load={toasts} isWanted={isTime} />
    </>
  );
}

function LateAbove({
  load,
  isWanted,
}: {
  readonly load: () => Promise<ComponentType>;
  readonly isWanted: boolean;
}) {
  const View = useLateAbove(load, isWanted, () => undefined);
  return View === undefined ? null : <View />;
}
