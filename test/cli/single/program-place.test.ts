import { writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { dataDirectory, programPlace } from '../../../cli/single/program-place.ts';
import { temporaryDirectory } from '../../storage/support/directory.ts';

t.test('a start keeps its program with its data', async (t) => {
  t.equal(programPlace('start', { ENGAGE_DATA_DIR: '/srv/engage' }), '/srv/engage/program');
  t.equal(programPlace('start', {}), join(process.cwd(), 'data/program'));
  t.equal(programPlace('start', { ENGAGE_DATA_DIR: '' }), join(process.cwd(), 'data/program'));
});

t.test('a command uses that of a server which ran here as the same user', async (t) => {
  const dataDir = temporaryDirectory();
  const environment = { ENGAGE_DATA_DIR: dataDir, XDG_CACHE_HOME: '/caches' };
  t.equal(programPlace('check', environment), '/caches/engage', 'a folder that is no data');
  writeFileSync(join(dataDir, 'lock'), '');
  t.equal(programPlace('check', environment), join(dataDir, 'program'));
});

t.test('without data here a command uses the caches of its user', async (t) => {
  const away = { ENGAGE_DATA_DIR: '/nonexistent' };
  const home = join(homedir(), '.cache/engage');
  t.equal(programPlace('mcp', away), home);
  t.equal(programPlace(undefined, away), home);
  t.equal(programPlace('mcp', { ...away, XDG_CACHE_HOME: '/caches' }), '/caches/engage');
  t.equal(programPlace('mcp', { ...away, XDG_CACHE_HOME: 'relative' }), home);
});

t.test("the operator's own folder comes first, for every command", async (t) => {
  const environment = { ENGAGE_PROGRAM_DIR: 'there', ENGAGE_DATA_DIR: '/srv/engage' };
  for (const name of ['start', 'mcp', undefined])
    t.equal(programPlace(name, environment), join(process.cwd(), 'there'));
  t.equal(programPlace('start', { ENGAGE_PROGRAM_DIR: '' }), join(dataDirectory({}), 'program'));
});
