// A program folder whose HTTP binary somebody changed by one byte: the server serves with its twin,
// and says so where an operator looks.

import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import t from 'tap';
import { loadUws } from '../../http/server/uws-library.ts';
import { fileAt, root } from '../support/places.ts';
import { client, startServer, until } from '../support/server.ts';

t.setTimeout(120_000); // a machine that is busy with other tests

const load = await loadUws();

t.test(
  'the twin serves, and the log and the banner say why',
  { skip: load.ok ? false : load.reasons.join(' | ') },
  async (t) => {
    const { programFiles } = (await import(fileAt('deploy/single-program.mjs').href)) as {
      programFiles(): readonly string[];
    };
    const folder = mkdtempSync(join(tmpdir(), 'engage-altered-'));
    t.teardown(() => rmSync(folder, { recursive: true, force: true }));
    for (const path of programFiles()) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      copyFileSync(join(root, path), join(folder, path));
    }
    const [major] = process.versions.node.split('.');
    const binary = `node_modules/@uwsjs/${process.platform}-${process.arch}-${major}/uws.node`;
    const bytes = readFileSync(join(folder, binary));
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
    writeFileSync(join(folder, binary), bytes);
    const main = join(folder, 'dist/cli/main.js');
    const server = await startServer(t, { program: [process.execPath, main] });
    t.equal((await client(server.url).call('GET /healthz')).status, 200);
    const metrics = await client(server.metricsUrl).call('GET /metrics');
    t.match(metrics.text, /^engage_build_info\{.*"node".*\} 1$/m);
    t.match(server.log(), new RegExp(`"evt":"http.twin".*${binary} is not the file`));
    const banner = /^ {2}WARNING {2}serving with node:http, which is slower: the binary of/m;
    await until(() => banner.test(server.log()), 'the banner does not say it');
    const version = spawnSync(process.execPath, [main, 'version'], { encoding: 'utf8' });
    t.match(version.stdout, 'http node:http: the binary of uWebSockets.js is not the one that');
    const start = spawnSync(process.execPath, [main, 'start'], {
      encoding: 'utf8',
      env: { ENGAGE_HTTP: 'uws', ENGAGE_DATA_DIR: join(folder, 'data') },
    });
    t.equal(start.status, 1);
    t.match(
      start.stderr,
      /^engage: ENGAGE_HTTP is "uws", but .* is not the file that was tested: /m,
    );
  },
);
