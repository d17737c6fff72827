// Exports all people of an app, or of a segment, as one streamed file.

import type { Area } from '../../area.ts';
import { exportDecisions, exportPage } from './export.ts';
import type { ExportMemory, ExportView } from './memory.ts';

export const exportArea = {
  name: 'export',
  decide: () => exportDecisions,
  asks: { 'subscribers.export': exportPage },
  whenDiskIsFull: ['subscribers.window'],
} as const satisfies Area<never, ExportMemory, ExportView, object>;
