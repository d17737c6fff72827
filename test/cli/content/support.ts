// Apps full of content, and folders of it, for the tests of pull, push and promote.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { environmentNamed } from '../../../cli/content/environments.ts';
import { readContent } from '../../../cli/content/files.ts';
import { pull } from '../../../cli/content/pull.ts';
import { PulledThings } from '../../../cli/content/pulled.ts';
import { plannedPush } from '../../../cli/content/push.ts';
import { ContentSchemas } from '../../../cli/content/schemas.ts';
import type { TestOrg } from '../../support/server.ts';
import { filesIn } from './files-in.ts';

export const keyVariable = 'ENGAGE_TEST_CONTENT_KEY';

/** A folder with environments, each an app. */
export function contentFolder(t: Test, baseUrl: string, apps: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'engage-content-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const environments = Object.entries(apps).map(
    ([name, appId]) => [name, { baseUrl, appId, keyVariable }] as const,
  );
  writeFileSync(join(folder, 'engage.json'), JSON.stringify(Object.fromEntries(environments)));
  return folder;
}

/** Pulls; the schemas are asked for once a server. */
export async function pullInto(folder: string, name: string, force = false) {
  const environment = environmentNamed(folder, name);
  const pulled = new PulledThings(folder, environment);
  const schemas = await schemasOf(environment.baseUrl);
  return pull(folder, environment, schemas, pulled, readContent(folder), force);
}

/** Plans a push of a folder. */
export async function planFrom(folder: string, name: string, force = false, prune = false) {
  const environment = environmentNamed(folder, name);
  const { contents, folders } = readContent(folder);
  return plannedPush({
    environment,
    schemas: await schemasOf(environment.baseUrl),
    pulled: new PulledThings(folder, environment),
    files: contents,
    folders,
    prune,
    force,
  });
}

const schemas = new Map<string, Promise<ContentSchemas>>();

function schemasOf(baseUrl: string): Promise<ContentSchemas> {
  const known = schemas.get(baseUrl) ?? ContentSchemas.of(baseUrl);
  schemas.set(baseUrl, known);
  return known;
}

/** What a folder has, without what belongs to an environment. */
export function contentIn(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    filesIn(folder)
      .filter((path) => path !== 'engage.json' && !path.startsWith('.engage/'))
      .map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  );
}

export function editFile(folder: string, path: string, over: object): void {
  const file = join(folder, path);
  const before: object = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...before, ...over }));
}

/** An app with one of each kind, which refer to each other. */
export async function fullApp({ client: api }: TestOrg, name: string): Promise<string> {
  const { id: app } = await api.must('POST /v1/apps', { name, timezone: 'Asia/Bangkok' });
  const base = `/v1/apps/${app}`;
  const { id: segmentId } = await api.must(`POST ${base}/segments`, {
    name: 'VIPs',
    filter: { tag: 'plan', eq: 'pro' },
  });
  await api.must(`POST ${base}/message-templates`, { name: 'welcome', title: 'Hi', body: 'Hello' });
  const { id: messageId } = await api.must(`POST ${base}/messages`, {
    name: 'Sale',
    title: 'Sale',
    body: 'Hello {{ first_name | default: "you" }}',
  });
  await api.must(`POST ${base}/flags`, { key: 'new-checkout', rolloutPercent: 20 });
  await api.must(`POST ${base}/in-app-messages`, { messageId, priority: 3 });
  await api.must(`POST ${base}/campaigns`, { name: 'Spring', messageId, segmentId });
  await api.must(`POST ${base}/journeys`, {
    name: 'Onboarding',
    triggerSegmentId: segmentId,
    steps: [
      { id: 'pause', type: 'wait', hours: 2 },
      {
        id: 'fork',
        type: 'branch',
        filter: { tag: 'plan', eq: 'pro' },
        then: [{ id: 'hello', type: 'send', messageId }],
      },
    ],
  });
  return app;
}
