// Whether nats-servers keep what they acknowledge. Each server of the cluster must tell its version
// and that it syncs each message; a client learns this from the monitoring port alone
// (`http_port`), because answers to `$SYS` requests need a system account.

import type { Millis } from '../../engine/base/brand.ts';

const answerMs: Millis = 2_000;
const oldest = { major: 2, minor: 14 } as const;

/** What `/varz` says, as far as we read it. */
interface Varz {
  readonly server_id?: string;
  readonly server_name?: string;
  readonly version?: string;
  readonly jetstream?: { readonly config?: { readonly sync_always?: boolean } };
}

/** What `/routez` says of the other servers of a cluster. */
interface Routez {
  readonly routes?: readonly { readonly remote_id?: string; readonly remote_name?: string }[];
}

/**
 * Sentences on what may lose acknowledged frames; none is proof that all is well. `connectedTo` is
 * the id of the server that the client talks to.
 */
export async function doubtsOfServers(
  monitors: readonly string[],
  connectedTo: string | undefined,
): Promise<readonly string[]> {
  if (monitors.length === 0)
    return [
      'no monitoring address of the nats-servers is named, so nobody knows whether they sync',
    ];
  const asked = await Promise.all(monitors.map(judged));
  const ids = new Set(asked.map(({ id }) => id));
  const doubts = asked.flatMap((one) => one.doubts);
  // One that does not answer may be any of these.
  if (asked.some(({ id }) => id === undefined)) return doubts;
  const others = new Map(asked.flatMap(({ others: found }) => found));
  const unnamed = [...others].filter(([id]) => !ids.has(id)).map(([, name]) => name);
  if (unnamed.length > 0)
    doubts.push(`the monitoring addresses leave out ${unnamed.sort().join(', ')}`);
  else if (connectedTo !== undefined && !ids.has(connectedTo))
    doubts.push('the monitoring addresses leave out the server that answers clients');
  return doubts;
}

interface Judged {
  /** `undefined`: no answer. */
  readonly id: string | undefined;
  readonly doubts: readonly string[];
  /** Id and name of each server that it has a route to. */
  readonly others: readonly (readonly [string, string])[];
}

async function judged(monitor: string): Promise<Judged> {
  let varz: Varz;
  let routez: Routez;
  try {
    [varz, routez] = await Promise.all([
      asked<Varz>(monitor, 'varz'),
      asked<Routez>(monitor, 'routez'),
    ]);
  } catch (error) {
    const doubts = [`${monitor} does not answer (${causeOf(error)})`];
    return { id: undefined, doubts, others: [] };
  }
  const name = varz.server_name ?? monitor;
  const doubts: string[] = [];
  if (!isNewEnough(varz.version))
    doubts.push(
      `${name} is nats-server ${varz.version}; ${oldest.major}.${oldest.minor} is the oldest`,
    );
  if (varz.jetstream?.config === undefined) doubts.push(`${name} has no JetStream`);
  else if (varz.jetstream.config.sync_always !== true)
    doubts.push(`${name} acknowledges before it syncs: set sync_interval: always`);
  const others = (routez.routes ?? []).flatMap(({ remote_id: id, remote_name }) =>
    id === undefined ? [] : [[id, remote_name ?? id] as const],
  );
  return { id: varz.server_id, doubts, others };
}

async function asked<Answer>(monitor: string, path: string): Promise<Answer> {
  const answer = await fetch(new URL(path, monitor), { signal: AbortSignal.timeout(answerMs) });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return (await answer.json()) as Answer;
}

function causeOf(error: unknown): string {
  const { cause, message } = error as { readonly cause?: unknown; readonly message?: string };
  const inner = (cause ?? {}) as { readonly code?: string; readonly message?: string };
  return inner.code ?? inner.message ?? message ?? String(error);
}

function isNewEnough(version: string | undefined): boolean {
  const [, major, minor] = /^(\d+)\.(\d+)\./.exec(version ?? '') ?? [];
  if (Number(major) !== oldest.major) return Number(major) > oldest.major;
  return Number(minor) >= oldest.minor;
}
