// The tabs of the panel beside the canvas; the chosen one stands in the address.

import { words } from './words.ts';

export const panels = [
  { id: 'settings', label: words.panels.settings },
  { id: 'step', label: words.panels.step },
  { id: 'try', label: words.panels.try },
  { id: 'forecast', label: words.panels.forecast },
  { id: 'people', label: words.panels.people },
] as const;

type PanelId = (typeof panels)[number]['id'];

export function isPanel(id: string | undefined): id is PanelId {
  return panels.some((panel) => panel.id === id);
}
