// Clients that a public generator makes from the API description, for each language whose tools
// this machine has: generated, compiled, and five calls made. Without the generator or the tools a
// language is skipped with a line that says what is missing. docs/CLIENTS.md says what was run.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { filesIn } from '../cli/content/files-in.ts';
import { client, makeOrg, sharedServer } from '../support/server.ts';
import { olderDescription } from './support/older-description.ts';

t.setTimeout(600_000);

/** The jar of openapi-generator-cli. */
const generator = process.env['ENGAGE_TEST_OPENAPI_GENERATOR'] ?? '';
const tags = ['Notifications', 'Segments', 'Subscribers'];
const jars = '/usr/share/java';
const javaJars = [
  ...['jackson-core', 'jackson-databind', 'jackson-annotations'],
  ...['jsr305', 'geronimo-annotation-1.3-spec'],
];

interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** While it runs, the test's own connections stay awake: a server closes those that are idle. */
function run(
  command: string,
  words: readonly string[],
  cwd?: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Run> {
  const child = spawn(command, words, { cwd, env: { ...process.env, ...env } });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ status: null, stdout, stderr: String(error) }));
    child.once('close', (status) => resolve({ status, stdout, stderr }));
  });
}

function isHere(command: string, words: readonly string[]): boolean {
  return spawnSync(command, words, { stdio: 'ignore' }).status === 0;
}

/** Why a language is not tried, or `false`. */
function missing(...tools: readonly (readonly [command: string, ...words: string[]])[]) {
  if (generator === '')
    return 'ENGAGE_TEST_OPENAPI_GENERATOR does not name the jar of openapi-generator-cli';
  if (!existsSync(generator)) return `${generator} does not exist`;
  for (const [command, ...words] of [['java', '-version'] as const, ...tools])
    if (!isHere(command, words)) return `${command} ${words.join(' ')} does not run here`;
  return false;
}

/** Generates a client; returns its folder and what its program needs to know. */
async function generated(t: Test, language: string, properties: string) {
  const server = await sharedServer(t);
  const org = await makeOrg(server, `Client in ${language}`);
  const { id: app } = await org.client.must('POST /v1/apps', { name: language });
  const folder = mkdtempSync(join(tmpdir(), `engage-${language}-`));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const document: unknown = await client(server.url).must('GET /openapi.json');
  const input = join(folder, 'openapi.json');
  writeFileSync(input, JSON.stringify(olderDescription(document, tags)));
  const words = [
    '-jar',
    generator,
    'generate',
    '-i',
    input,
    '-g',
    language,
    '-o',
    join(folder, 'out'),
  ];
  const more = [
    '--skip-validate-spec',
    ...(properties === '' ? [] : ['--additional-properties', properties]),
  ];
  const { status, stdout, stderr } = await run('java', [...words, ...more]);
  t.equal(status, 0, (stdout + stderr).slice(-2_000));
  const environment = { ENGAGE_URL: server.url, ENGAGE_KEY: org.key, ENGAGE_APP: app };
  return { out: join(folder, 'out'), environment, org, app };
}

/** The five calls left what they should, by whatever language. */
async function checkCalls(
  t: Test,
  { org, app }: Awaited<ReturnType<typeof generated>>,
  said: string,
) {
  const [id = '', total] = said.trim().split('\n').slice(-2);
  t.match(id, /^ntf_[0-9a-z]{26}$/);
  t.equal(total, '1', 'the list has the segment');
  const base = `/v1/apps/${app}`;
  t.match(await org.client.must(`GET ${base}/subscribers/external:ada`), { tags: { plan: 'pro' } });
  t.match(await org.client.must(`GET ${base}/notifications/${id}`), { id });
  t.match((await org.client.must(`GET ${base}/segments`)).items, [{ name: 'VIPs' }]);
}

const python = `
import os
from openapi_client import ApiClient, Configuration, NotificationsApi, SegmentsApi, SubscribersApi

configuration = Configuration(host=os.environ["ENGAGE_URL"])
configuration.access_token = os.environ["ENGAGE_KEY"]
api = ApiClient(configuration)
app = os.environ["ENGAGE_APP"]

SubscribersApi(api).upsert_subscriber(app, {"externalUserId": "ada", "tags": {"plan": "pro"},
    "devices": [{"channel": "email", "endpoint": "ada@example.com"}]}, _preload_content=False)
sent = NotificationsApi(api).send_notification(app, {"externalUserId": "ada", "title": "Hi", "body": "Hello"})
sent = sent if isinstance(sent, dict) else sent.to_dict()
NotificationsApi(api).read_notification(app, sent["id"])
SegmentsApi(api).create_segment(app, {"name": "VIPs", "filter": {"tag": "plan", "eq": "pro"}})
segments = SegmentsApi(api).list_segments(app, limit=5)
print(sent["id"])
print(len(segments.items))
`;

const withPython = missing(['python3', '-c', 'import urllib3, dateutil, six']);

t.test('Python: a generated client makes five calls', { skip: withPython }, async (t) => {
  const made = await generated(t, 'python', '');
  writeFileSync(join(made.out, 'calls.py'), python);
  const compiled = await run('python3', ['-m', 'compileall', '-q', 'openapi_client'], made.out);
  t.equal(compiled.status, 0, compiled.stdout);
  const { status, stdout, stderr } = await run('python3', ['calls.py'], made.out, made.environment);
  t.equal(status, 0, stderr.slice(-2_000));
  await checkCalls(t, made, stdout);
});

const java = `
import java.net.URI;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.NotificationsApi;
import org.openapitools.client.api.SegmentsApi;
import org.openapitools.client.api.SubscribersApi;
import org.openapitools.client.model.CreateSegmentBody;
import org.openapitools.client.model.Notification;
import org.openapitools.client.model.UpsertSubscriberBody;

public class Calls {
  public static void main(String[] words) throws Exception {
    URI server = URI.create(System.getenv("ENGAGE_URL"));
    String app = System.getenv("ENGAGE_APP");
    ApiClient api = new ApiClient();
    api.setScheme(server.getScheme()).setHost(server.getHost()).setPort(server.getPort());
    api.setRequestInterceptor(
        (request) -> request.header("Authorization", "Bearer " + System.getenv("ENGAGE_KEY")));

    UpsertSubscriberBody ada = new UpsertSubscriberBody().externalUserId("ada");
    ada.putTagsItem("plan", "pro");
    new SubscribersApi(api).upsertSubscriber(app, ada, null, null);
    Notification message = new Notification().externalUserId("ada").title("Hi").body("Hello");
    Map<?, ?> sent = (Map<?, ?>) new NotificationsApi(api).sendNotification(app, message, null, null);
    String id = (String) sent.get("id");
    new NotificationsApi(api).readNotification(app, id, null, null);
    CreateSegmentBody segment = new CreateSegmentBody().name("VIPs");
    segment.setFilter(Map.of("tag", "plan", "eq", "pro"));
    new SegmentsApi(api).createSegment(app, segment, null, null);
    int total = new SegmentsApi(api).listSegments(app, null, 5, null, null).getItems().size();
    System.out.println(id);
    System.out.println(total);
  }
}
`;

/** What Debian has no package of. The annotations do nothing, and no field is a date of Java. */
const javaStandIns: Readonly<Record<string, string>> = {
  'com/fasterxml/jackson/datatype/jsr310/JavaTimeModule.java':
    'package com.fasterxml.jackson.datatype.jsr310;\npublic class JavaTimeModule extends com.fasterxml.jackson.databind.module.SimpleModule {}',
  'io/swagger/annotations/ApiModel.java':
    'package io.swagger.annotations;\npublic @interface ApiModel { String value() default ""; String description() default ""; }',
  'io/swagger/annotations/ApiModelProperty.java':
    'package io.swagger.annotations;\npublic @interface ApiModelProperty { String value() default ""; boolean required() default false; String example() default ""; }',
};

const lacking = javaJars.find((name) => !existsSync(join(jars, `${name}.jar`)));
const withJava =
  missing(['javac', '-version']) ||
  (lacking !== undefined && `${jars}/${lacking}.jar is not there`);

t.test('Java: a generated client makes five calls', { skip: withJava }, async (t) => {
  const properties = 'library=native,openApiNullable=false,dateLibrary=legacy';
  const made = await generated(t, 'java', properties);
  const sources = join(made.out, 'src/main/java');
  for (const [path, text] of Object.entries({ ...javaStandIns, 'Calls.java': java })) {
    mkdirSync(join(sources, dirname(path)), { recursive: true });
    writeFileSync(join(sources, path), text);
  }
  const path = javaJars.map((name) => join(jars, `${name}.jar`)).join(':');
  const all = filesIn(sources).filter((name) => name.endsWith('.java'));
  const compiled = await run(
    'javac',
    ['-nowarn', '-d', '../classes', '-cp', path, ...all],
    sources,
  );
  t.equal(compiled.status, 0, compiled.stderr.slice(0, 3_000));
  t.ok(readdirSync(sources).includes('Calls.java'));
  const words = ['-cp', `${path}:../classes`, 'Calls'];
  const { status, stdout, stderr } = await run('java', words, sources, made.environment);
  t.equal(status, 0, stderr.slice(-2_000));
  await checkCalls(t, made, stdout);
});

for (const [language, command] of [
  ['Go', 'go'],
  ['PHP', 'php'],
  ['C#', 'dotnet'],
] as const) {
  const isThere = isHere(command, ['--version']);
  const why = isThere ? 'no test generates a client for it yet' : `${command} is not here`;
  t.test(`${language}: no client is generated`, { skip: why }, async () => undefined);
}
