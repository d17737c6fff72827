// The SDK in Java: compiled, and run through the conformance scripts on a JVM, with made-up answers
// and with a real server. Without a JDK the test skips itself and says so.

import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import t, { type Test } from 'tap';
import { root } from '../../support/places.ts';
import { eventually, freePorts, makeOrg, sharedServer } from '../../support/server.ts';
import { sdkInProcess } from './support/process-driver.ts';
import { appOf } from './support/real-server.ts';
import { madeUpServer, runScript } from './support/run-script.ts';
import { allScripts } from './support/script.ts';

t.setTimeout(300_000);

const can = ['push', 'preferences', 'noLiveActivity'];
const fit = allScripts().filter(([, { needs = [] }]) => needs.every((need) => can.includes(need)));

function missing(): string | false {
  const { status, stdout } = spawnSync('javac', ['-version'], { encoding: 'utf8' });
  if (status !== 0) return 'javac -version does not run here';
  const version = Number(/^javac (\d+)/.exec(stdout)?.[1] ?? 0);
  return version >= 17 ? false : `javac is version ${version}, and 17 is needed`;
}

const skip = missing();

/** Compiles the SDK and its driver; returns where the classes are. */
function compiled(test: Test): { readonly classes: string; readonly storage: string } {
  const folder = mkdtempSync(join(tmpdir(), 'engage-java-'));
  test.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const [classes, storage] = [join(folder, 'classes'), join(folder, 'storage')];
  mkdirSync(storage);
  const sources = ['main', 'test'].flatMap((part) => {
    const place = join(root, `sdk/android/src/${part}/java/dev/engage/sdk`);
    return readdirSync(place).map((name) => join(place, name));
  });
  const words = ['--release', '17', '-Xlint:all', '-d', classes, ...sources];
  const { status, stderr } = spawnSync('javac', words, { encoding: 'utf8' });
  test.equal(status, 0, stderr);
  return { classes, storage };
}

t.test(
  'the SDK in Java holds to every script, by made-up answers and real ones',
  { skip },
  async (test) => {
    const { classes, storage } = compiled(test);
    const { sdk, stop } = sdkInProcess({
      name: 'the SDK in Java',
      can,
      program: [
        'java',
        '-XX:TieredStopAtLevel=1',
        `-Djava.io.tmpdir=${storage}`,
        '-cp',
        classes,
        'dev.engage.sdk.ConformanceDriver',
      ],
    });
    test.teardown(stop);
    for (const [name, script] of fit)
      await test.test(`${name}: ${script.title}`, async () => runScript(script, sdk, madeUpServer));
    const server = await sharedServer(test, { ENGAGE_PER_IP_PER_MINUTE: '0' });
    const org = await makeOrg(server, 'Conformance of Java');
    for (const [name, script] of fit)
      await test.test(`a real server, ${name}: ${script.title}`, async () =>
        runScript(script, sdk, await appOf(server, org.client, script)),
      );
  },
);

/** Runs the app until it ends, or says `stored` and is killed. Returns its lines. */
async function runApp(words: readonly string[]): Promise<readonly string[]> {
  const child = spawn('java', words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === 'stored') child.kill('SIGKILL');
    else lines.push(line);
  }
  return lines;
}

t.test(
  'events of an app that was killed without a network are sent by the next',
  { skip },
  async (test) => {
    const { classes, storage } = compiled(test);
    const server = await sharedServer(test, { ENGAGE_PER_IP_PER_MINUTE: '0' });
    const org = await makeOrg(server, 'A killed app in Java');
    const { id: appId } = await org.client.must('POST /v1/apps', { name: 'killed' });
    const app = (url: string, what: string) =>
      runApp(['-cp', classes, 'dev.engage.sdk.KilledApp', storage, appId, url, what]);
    const [nobody] = await freePorts(1);
    const ids = await app(`http://127.0.0.1:${nobody}`, 'track');
    test.equal(ids.length, 30);
    test.strictSame(await app(server.url, 'send'), ['noa']);
    const events = await eventually(async () => {
      const { items } = await org.client.must(`GET /v1/apps/${appId}/events?name=kept&limit=200`);
      return items.length >= ids.length ? items : undefined;
    }, 'the events did not arrive');
    const found = events.map(({ id }: { id: string }) => id);
    test.strictSame([...found].sort(), [...ids].sort(), 'each once');
    const whose = events.map(({ externalUserId }: { externalUserId: string }) => externalUserId);
    test.strictSame(new Set(whose), new Set(['noa']));
  },
);
