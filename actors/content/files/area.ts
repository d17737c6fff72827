// Files that sends carry: attachments, until no send needs them.

import { fileBytes, fileDays, files } from '../../../storage/tables/file.ts';
import type { Area } from '../../area.ts';
import { filesApplies } from './apply.ts';
import { checkKeptFiles } from './check.ts';
import { filesDecisions } from './decide.ts';
import { type FilesMemory, type FilesView, filesOfApp } from './memory.ts';
import type { FilesEntry } from './protocol.ts';

/** Of a file's records without its bytes. */
const recordBytes = 512;

export const filesArea = {
  name: 'files',
  app: filesOfApp,
  decide: () => filesDecisions,
  apply: filesApplies,
  silent: ['file.kept', 'file.dropped'],
  check: checkKeptFiles,
  stored: {
    sums: [['content', ({ fileCount, fileBytes: bytes }) => bytes + fileCount * recordBytes]],
    growth: {
      'file.kept': (_app, { bytes }: Extract<FilesEntry, { kind: 'file.kept' }>) =>
        bytes + recordBytes,
    },
  },
  // A send is never refused for the quota alone: its files may go a tenth beyond.
  stores: { 'file.keep': 'copies', 'file.keep_asset': 'copies' },
  tables: [files, fileBytes, fileDays],
} as const satisfies Area<never, FilesMemory, FilesView, object>;
