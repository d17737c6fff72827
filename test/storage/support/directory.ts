// A data directory that goes away with its test.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';

/** A new, empty directory, removed when the test file ends. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'engage-test-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
