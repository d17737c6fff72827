// Checks the counts of files against their records, and records against bytes and days.

import { fileBytes, fileDays, files } from '../../../storage/tables/file.ts';
import { type AppCheck, type CheckedApp, checkOf } from '../../area-check.ts';
import type { FilesApp } from './memory.ts';

export function checkFiles(
  { fileCount, fileBytes: bytesInMemory }: FilesApp,
  { problem }: CheckedApp,
): AppCheck {
  const days = new Map<string, number>();
  const withoutBytes = new Set<string>();
  let count = 0;
  let bytes = 0;
  return {
    rows: [
      checkOf(files, (row, [hash]) => {
        count++;
        bytes += row.bytes;
        days.set(String(hash), row.day);
        withoutBytes.add(String(hash));
      }),
      checkOf(fileBytes, (_row, [hash]) => {
        if (!withoutBytes.delete(String(hash)))
          problem(`: the bytes ${String(hash)} belong to no file of a send`);
      }),
      checkOf(fileDays, (_row, [day, hash]) => {
        if (days.get(String(hash)) !== day)
          problem(`: the file ${String(hash)} was not last used on day ${String(day)}`);
        days.delete(String(hash));
      }),
    ],
    end: () => {
      if (withoutBytes.size > 0) problem(`: ${withoutBytes.size} files of sends have no bytes`);
      if (days.size > 0) problem(`: ${days.size} files of sends would never be removed`);
      if (count !== fileCount || bytes !== bytesInMemory)
        problem(
          `: memory counts ${fileCount} files of ${bytesInMemory} bytes, but there are ${count} of ${bytes}`,
        );
    },
  };
}
