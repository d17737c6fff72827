// Makes an app have the content of some files: checks, plans, and then does one step after another.
// A push that is killed can be made again: what is done already is unchanged then.

import { ConflictError, EngageError } from '../../sdk/node/src/engage.ts';
import { contentNamesOf, judgedProblems, problemsOf, problemText } from './check-files.ts';
import type { ContentEnvironment } from './environments.ts';
import { contentKindOf, fileOf, settingsHandle } from './files.ts';
import { withIds } from './names.ts';
import { type PushPlan, type PushStep, pushPlanOf } from './plan.ts';
import type { PulledThings } from './pulled.ts';
import { isSent, methodsOfKind, type RemoteThing, readRemote } from './remote.ts';
import type { ContentSchemas } from './schemas.ts';
import { byHandle, type Content, type Handle, hashOf, withoutNulls } from './thing.ts';

/** What to push, and where to. */
export interface PushParts {
  readonly environment: ContentEnvironment;
  readonly schemas: ContentSchemas;
  readonly pulled: PulledThings;
  readonly files: ReadonlyMap<Handle, Content>;
  readonly folders: ReadonlySet<string>;
  readonly prune: boolean;
  readonly force: boolean;
}

/** A push that was planned: its plan, and how to do it. */
interface PlannedPush {
  readonly plan: PushPlan;
  /** Tells each step that is done. */
  make(onStep: (step: PushStep) => void): Promise<void>;
}

/** Throws all problems of the files at once, a line for each; nothing is changed by then. */
export async function plannedPush(parts: PushParts): Promise<PlannedPush> {
  const { environment, schemas, pulled, prune, force } = parts;
  const files = inOrder(parts.files);
  refuse(problemsOf(files, schemas).map(problemText));
  const remote = await readRemote(environment, schemas, pulled, files);
  const plan = pushPlanOf({
    ...{ files, folders: parts.folders, remote, pulled, kindOf: contentKindOf, prune, force },
    clearable: (kind) => schemas.clearable(kind),
    sent: await sentOf(environment, pulled, files, remote),
  });
  if (plan.conflicts.length === 0)
    refuse((await judgedProblems(environment, plan.steps)).map(problemText));
  return { plan, make: (onStep) => makePush(parts, files, remote, plan, onStep) };
}

/** What others refer to comes first. */
function inOrder(files: ReadonlyMap<Handle, Content>): ReadonlyMap<Handle, Content> {
  const places = new Map([...files.keys()].map((handle, at) => [contentKindOf(handle).folder, at]));
  const placeOf = (handle: Handle) => places.get(contentKindOf(handle).folder) ?? 0;
  return new Map(
    [...files].sort(([a], [b]) =>
      contentKindOf(a) === contentKindOf(b) ? byHandle(a, b) : placeOf(a) - placeOf(b),
    ),
  );
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

async function sentOf(
  environment: ContentEnvironment,
  pulled: PulledThings,
  files: ReadonlyMap<Handle, Content>,
  remote: ReadonlyMap<Handle, RemoteThing>,
): Promise<ReadonlySet<Handle>> {
  const sent = new Set<Handle>();
  for (const handle of files.keys()) {
    const before = pulled.of(handle);
    if (before === undefined || remote.has(handle)) continue;
    if (await isSent(environment, contentKindOf(handle), before.id)) sent.add(handle);
  }
  return sent;
}

async function makePush(
  { environment, pulled }: PushParts,
  files: ReadonlyMap<Handle, Content>,
  remote: ReadonlyMap<Handle, RemoteThing>,
  { steps, unchanged }: PushPlan,
  onStep: (step: PushStep) => void,
): Promise<void> {
  const ids = new Map([...remote].map(([handle, { id }]) => [handle, id]));
  const names = contentNamesOf(files);
  const idOf = (folder: string, ref: string) => {
    const [handle = ''] = names.meaningOf(folder, ref);
    const id = ids.get(handle);
    if (id === undefined) throw new Error(`${folder}: ${ref} was not created`);
    return id;
  };
  for (const { handle, id, content } of unchanged)
    pulled.set(handle, { id, hash: hashOf(content) });
  pulled.save();
  for (const step of steps) {
    const { handle, content } = step;
    try {
      const id = await makeStep(environment, step, idOf);
      if (id === undefined) pulled.delete(handle);
      else {
        ids.set(handle, id);
        pulled.set(handle, { id, hash: hashOf(content) });
      }
    } catch (error) {
      throw explained(step, error);
    }
    pulled.save();
    onStep(step);
  }
}

/** Returns the id of what is there now; `undefined` if nothing is. */
async function makeStep(
  environment: ContentEnvironment,
  { does, kind, handle, content, fields, remote }: PushStep,
  idOf: (folder: string, ref: string) => string,
): Promise<string | undefined> {
  const methods = methodsOfKind(environment, kind);
  const etag = remote === undefined || remote.etag === '' ? {} : { ifMatch: remote.etag };
  const changed = Object.fromEntries(fields.map((name) => [name, content[name] ?? null]));
  if (handle === settingsHandle) {
    const { timezone, ...settings } = changed;
    const { engage } = environment;
    if (Object.keys(settings).length > 0) await engage.apps.updateSettings(settings, etag);
    if (typeof timezone === 'string') await engage.apps.update({ timezone });
    return remote?.id;
  }
  if (does === 'create') {
    const body = withIds({ ...withoutNulls(content), ...kind.made }, idOf);
    const made = await methods.create(body);
    return String(made['id'] ?? made[kind.address]);
  }
  if (remote === undefined) throw new Error(`${handle}: is not on the server`);
  if (does === 'delete') {
    await methods.delete(remote.address, etag);
    return undefined;
  }
  await methods.update(remote.address, withIds(changed, idOf), etag);
  return remote.id;
}

function explained({ handle, does }: PushStep, error: unknown): unknown {
  if (!(error instanceof EngageError)) return error;
  const file = fileOf(handle);
  if (error instanceof ConflictError && error.status === 412)
    return new Error(`${file}: was changed on the server during the push; pull, and push again.`);
  const rest = 'What was listed before it is done; the same push continues from here.';
  return new Error(`${file}: could not ${does}: ${error.message}\n${rest}`);
}
