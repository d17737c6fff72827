// Exports all people of an app, or of a segment, as one streamed file.

import type { Area } from '../../area.ts';

import { exportDecisions } from './export.ts';
import type { ExportMemory, ExportView } from './view.ts';

export const exportArea = {
  name: 'export',
  decide: () => exportDecisions,
  whenDiskIsFull: ['subscribers.window'],
} as const satisfies Area<never, ExportMemory, ExportView, object>;
