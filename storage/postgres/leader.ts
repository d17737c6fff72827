// Which of the servers takes our writes: the one that passes the gate and has the highest timeline,
// since an old primary that nobody stopped looks like one, too.

import type pg from 'pg';
import { failureOf } from './failure.ts';
import { doubtsOfServer, obstacleOf, type PostgresFacts, timelineOf } from './gate.ts';
import { PostgresSession } from './session.ts';

interface LeaderSearch {
  readonly library: typeof pg;
  /** Connection strings. */
  readonly servers: readonly string[];
  readonly name: string;
  /** Takes a server that may lose what it acknowledges. */
  readonly allowsUnsafe: boolean;
  /** Servers below this are of before a promotion. */
  readonly timelineMin: number;
}

export interface Leader {
  readonly server: string;
  readonly session: PostgresSession;
  readonly timeline: number;
  /** Changes with each start and each promotion. */
  readonly identity: string;
  /** Sentences for the operator, who allowed them. */
  readonly warnings: readonly string[];
}

/** The leader, with an open session, or why there is none: a reason for each server. */
export async function findLeader(search: LeaderSearch): Promise<Leader | string> {
  const found = await Promise.all(search.servers.map((server) => judged(search, server)));
  const leaders = found
    .filter((one) => typeof one !== 'string')
    .sort((a, b) => b.timeline - a.timeline);
  const [leader, ...others] = leaders;
  for (const { session } of others) void session.end();
  return leader ?? found.filter((one) => typeof one === 'string').join('; ');
}

async function judged(search: LeaderSearch, server: string): Promise<Leader | string> {
  const { library, name, allowsUnsafe, timelineMin } = search;
  const at = placeOf(server);
  let opened: Awaited<ReturnType<typeof PostgresSession.open>>;
  try {
    opened = await PostgresSession.open(library, server, name);
  } catch (error) {
    return `${at}: ${failureOf(error).reason}`;
  }
  const { session, facts } = opened;
  const doubts = doubtsOfServer(facts);
  const timeline = timelineOf(facts);
  const obstacle =
    obstacleOf(facts) ??
    (timeline < timelineMin ? 'another server was promoted since, this one is old' : undefined) ??
    (doubts.length > 0 && !allowsUnsafe ? doubts.join(', and ') : undefined);
  if (obstacle !== undefined) {
    void session.end();
    return `${at}: ${obstacle}`;
  }
  const warnings = doubts.map((doubt) => `${at}: ${doubt}`);
  return { server, session, timeline, identity: identityOf(facts), warnings };
}

export function identityOf(facts: PostgresFacts): string {
  return `${facts.started} ${timelineOf(facts)}`;
}

/** For sentences: without account and password. */
function placeOf(server: string): string {
  const place = /^[a-z]+:(?:\/\/)?(?:[^@/]*@)?([^?]*)/.exec(server)?.[1] ?? '';
  const host = /[?&]host=([^&]+)/.exec(server)?.[1];
  return decodeURIComponent(host ?? place.replace(/\/.*$/, '')) || 'PostgreSQL';
}
