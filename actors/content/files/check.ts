// Checks the counts of files against their records, and records against bytes and days.

import { fileBytes, fileDays, files } from '../../../storage/tables/file.ts';
import { type AppCheck, type CheckedApp, checkOf } from '../../area-check.ts';
import type { FilesApp } from './memory.ts';
import { pieceCount } from './pieces.ts';

export function checkKeptFiles(
  { fileCount, fileBytes: bytesInMemory }: FilesApp,
  { problem }: CheckedApp,
): AppCheck {
  const days = new Map<string, number>();
  const piecesOf = new Map<string, number>();
  let count = 0;
  let bytes = 0;
  return {
    rows: [
      checkOf(files, (row, [hash]) => {
        count++;
        bytes += row.bytes;
        days.set(String(hash), row.day);
        piecesOf.set(String(hash), pieceCount(row.bytes));
      }),
      checkOf(fileBytes, (_row, [hash]) => {
        const left = piecesOf.get(String(hash)) ?? 0;
        if (left === 0) problem(`: a piece of ${String(hash)} belongs to no file of a send`);
        else piecesOf.set(String(hash), left - 1);
      }),
      checkOf(fileDays, (_row, [day, hash]) => {
        if (days.get(String(hash)) !== day)
          problem(`: the file ${String(hash)} was not last used on day ${String(day)}`);
        days.delete(String(hash));
      }),
    ],
    end: () => {
      const cut = [...piecesOf.values()].filter((left) => left > 0).length;
      if (cut > 0) problem(`: ${cut} files of sends lack some of their bytes`);
      if (days.size > 0) problem(`: ${days.size} files of sends would never be removed`);
      if (count !== fileCount || bytes !== bytesInMemory)
        problem(
          `: memory counts ${fileCount} files of ${bytesInMemory} bytes, but there are ${count} of ${bytes}`,
        );
    },
  };
}
