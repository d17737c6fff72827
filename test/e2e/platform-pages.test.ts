// The pages of platforms: their calls run as they stand, and their code where this machine can run
// it, each against a server whose person then has the device, the click and the logout.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { transformSync } from 'esbuild';
import t, { type Test } from 'tap';
import { root } from '../support/places.ts';
import {
  type Client,
  client,
  eventually,
  type RunningServer,
  startServer,
} from '../support/server.ts';

t.setTimeout(180_000); // a machine that is busy with other tests

const folder = join(root, 'docs/platforms');
const platforms = ['android', 'capacitor', 'flutter', 'ios', 'react-native', 'unity', 'web'];
const textOf = (platform: string) => readFileSync(join(folder, `${platform}.md`), 'utf8');
const blockOf = (platform: string, language: string) =>
  new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(textOf(platform))?.[1] ?? '';

interface Place {
  readonly server: RunningServer;
  readonly api: Client;
  readonly base: string;
  readonly appId: string;
}

/** A server with its demo app, as the pages begin. */
async function demo(test: Test): Promise<Place> {
  const server = await startServer(test);
  const file = join(server.dataDir, 'demo.env');
  await eventually(async () => existsSync(file) || undefined, 'there is no demo');
  const setting = (name: string) =>
    new RegExp(`${name}=["']?([^"'\\s]+)`).exec(readFileSync(file, 'utf8'))?.[1] ?? '';
  const appId = setting('ENGAGE_APP');
  const api = client(server.url, setting('ENGAGE_KEY'));
  return { server, api, base: `/v1/apps/${appId}`, appId };
}

/** What a page promises of its four calls. */
async function checkPerson(test: Test, { api, base }: Place, who: string): Promise<void> {
  for (const name of ['received', 'clicked']) {
    const event = await eventually(async () => {
      const { items } = await api.must(`GET ${base}/events?name=${name}&limit=200`);
      return items.find((one: { externalUserId: string }) => one.externalUserId === who);
    }, `${who} has no event ${name}`);
    test.match(event, { sendId: /^ntf_/, deviceId: /^dev_/ }, `${name} is of the send`);
  }
  const { devices } = await api.must(`GET ${base}/subscribers/external:${encodeURIComponent(who)}`);
  test.strictSame(devices, [], 'the logout removed the device');
}

t.test('there is a page for each of the seven platforms', async (test) => {
  test.strictSame(
    readdirSync(folder).sort(),
    platforms.map((name) => `${name}.md`),
  );
});

t.test('the calls of each page run as they stand', async (test) => {
  const place = await demo(test);
  const { server } = place;
  for (const platform of platforms) {
    const script = blockOf(platform, 'sh')
      .replaceAll('http://127.0.0.1:8400', server.url)
      .replaceAll('http://127.0.0.1:8402', server.sandboxUrl)
      .replaceAll('data/', `${server.dataDir}/`);
    const run = spawnSync('sh', ['-e', '-u', '-c', script], { cwd: root, encoding: 'utf8' });
    test.equal(run.status, 0, `${platform}: ${run.stderr}`);
    test.notMatch(run.stdout, /"error"/, `${platform}: ${run.stdout}`);
    await checkPerson(test, place, `mia-${platform}`);
  }
});

t.test('the code of each page makes the calls of the page, in their order', async (test) => {
  const languages = { ios: 'swift', flutter: 'dart', unity: 'csharp', android: 'java' };
  const all = { ...languages, 'react-native': 'ts', capacitor: 'ts' };
  for (const [platform, language] of Object.entries(all)) {
    const code = blockOf(platform, language);
    const paths = [...code.matchAll(/["'](\/(?:v1\/sdk\/\w+|e))["']/g)].map(([, path]) => path);
    const expected = ['/v1/sdk/subscriber', '/v1/sdk/register', '/e', '/v1/sdk/logout'];
    test.strictSame(paths, expected, platform);
    for (const word of ['engageSendId', 'engageDeviceId', 'clientToken', 'authorization'])
      test.ok(code.includes(word), `${platform}: ${word}`);
    test.match(textOf(platform), /not run (here|on a device)/, `${platform} says what was not run`);
  }
});

/** Sends a push to the person, and returns its data as the app gets it. */
async function pushTo({ server, api, base }: Place, who: string) {
  const body = { externalUserId: who, channels: ['fcm'], title: 'Hi', body: 'Hello' };
  const { id } = await api.must(`POST ${base}/notifications`, body);
  const sandbox = client(server.sandboxUrl);
  return eventually(async () => {
    const { messages } = await sandbox.must('GET /control/messages?limit=100');
    const found = messages.find(({ sendId }: { sendId?: string }) => sendId === id);
    if (found === undefined) return undefined;
    const { exchange } = await sandbox.must(`GET /control/messages/${found.id}`);
    return JSON.parse(exchange.requestBody).message.data as Record<string, string>;
  }, 'no push');
}

interface EngagePush {
  login(externalUserId: string): Promise<void>;
  register(channel: string, token: string): Promise<void>;
  track(name: string, data: Readonly<Record<string, string>>): Promise<void>;
  logout(): Promise<void>;
}

for (const platform of ['react-native', 'capacitor'])
  t.test(`${platform}: the code of the page runs in Node`, async (test) => {
    const place = await demo(test);
    const { code } = transformSync(blockOf(platform, 'ts'), { loader: 'ts', format: 'esm' });
    const address = `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`;
    const { engagePush } = (await import(address)) as {
      engagePush(url: string, appId: string, kept: object): EngagePush;
    };
    const stored = new Map<string, string>();
    const kept = {
      get: async (key: string) => stored.get(key) ?? null,
      set: async (key: string, value: string) => stored.set(key, value),
    };
    const push = engagePush(place.server.url, place.appId, kept);
    await push.login('noa');
    await push.register('fcm', 'phone-of-noa');
    const data = await pushTo(place, 'noa');
    await push.track('received', data);
    await push.track('clicked', data);
    await push.track('clicked', { of: 'somebody else' });
    await push.logout();
    await checkPerson(test, place, 'noa');
  });

const main = `
import java.util.HashMap;
import java.util.Map;

public class Main {
  public static void main(String[] words) throws Exception {
    Map<String, String> kept = new HashMap<>();
    EngagePush push = new EngagePush(words[0], words[1], kept);
    push.login("noa \\"x\\"", null);
    push.register("phone-of-noa");
    System.out.println("registered");
    String[] ids = new java.io.BufferedReader(new java.io.InputStreamReader(System.in)).readLine().split(" ");
    Map<String, String> data = Map.of("engageSendId", ids[0], "engageDeviceId", ids[1]);
    push.track("received", data);
    push.track("clicked", data);
    push.track("clicked", Map.of("of", "somebody else"));
    push.logout();
  }
}
`;
const javac = spawnSync('javac', ['-version'], { stdio: 'ignore' }).status === 0;

t.test(
  'android: the code of the page compiles and runs on a JVM',
  { skip: javac ? false : 'javac -version does not run here' },
  async (test) => {
    const place = await demo(test);
    const where = mkdtempSync(join(tmpdir(), 'engage-page-'));
    test.teardown(() => rmSync(where, { recursive: true, force: true }));
    writeFileSync(join(where, 'EngagePush.java'), blockOf('android', 'java'));
    writeFileSync(join(where, 'Main.java'), main);
    const compiled = spawnSync('javac', ['EngagePush.java', 'Main.java'], { cwd: where });
    test.equal(compiled.status, 0, String(compiled.stderr));
    await runWithPush(test, place, where);
    await checkPerson(test, place, 'noa "x"');
  },
);

/** The program registers, gets a push, and goes on with its ids. */
async function runWithPush(test: Test, place: Place, where: string): Promise<void> {
  const words = ['-cp', where, 'Main', place.server.url, place.appId];
  const child = spawn('java', words, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  for await (const line of createInterface({ input: child.stdout })) {
    test.equal(line, 'registered');
    const { engageSendId, engageDeviceId } = await pushTo(place, 'noa "x"');
    child.stdin.end(`${engageSendId} ${engageDeviceId}\n`);
  }
  test.equal(await ended, 0, 'the program ended well');
}
