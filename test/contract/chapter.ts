// A real server for the chapters of the contract, an org and an app to try it on, and the two
// checks that chapters are made of: what is taken, and what is refused with which status, code,
// field and words.

import type { Test } from 'tap';
import {
  type Client,
  client,
  makeOrg,
  type Reply,
  type RunningServer,
  sharedServer,
  type TestOrg,
} from '../support/server.ts';

/** What a refusal must say; members that are left out are not compared. */
interface Refusal {
  readonly status: number;
  readonly code?: string;
  readonly field?: string;
  readonly error?: RegExp | string;
}

/** A chapter's surroundings. */
export interface Chapter {
  readonly server: RunningServer;
  readonly org: TestOrg;
  readonly api: Client;
  /** Path of the app: `/v1/apps/app_…`. */
  readonly base: string;
  readonly app: string;
  /** Calls, and checks that it is taken with this status. */
  takes(
    t: Test,
    line: string,
    body: object | undefined,
    status: number,
    why?: string,
  ): Promise<Reply>;
  /**
   * Calls, and checks that it is refused so; `field` also begins the words, as the contract has it.
   */
  refuses(
    t: Test,
    line: string,
    body: object | undefined,
    refusal: Refusal,
    why?: string,
  ): Promise<Reply>;
}

/**
 * What most chapters share a server with: no address limits calls unless a chapter is about that, a
 * chapter may call from many addresses, and its webhooks go to receivers on this machine.
 */
const usual = {
  ENGAGE_ALLOW_PRIVATE_NETWORKS: '1',
  ENGAGE_PER_IP_PER_MINUTE: '0',
  ENGAGE_TRUSTED_PROXIES: '1',
  ENGAGE_SECURITY_CONTACT: 'mailto:security@acme.example',
};

/** `ENGAGE_PER_IP_PER_MINUTE` of the chapters that are about it, which share a server. */
export const perIp = 40;

/** The server that chapters share. Other settings cost a start of their own. */
export function chapterServer(
  t: Test,
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  return sharedServer(t, { ...usual, ...environment });
}

/** A chapter's org, whose lanes are unlimited, on a server that chapters share. */
export async function chapter(
  t: Test,
  environment: Readonly<Record<string, string>> = {},
): Promise<Chapter> {
  const server = await chapterServer(t, environment);
  const org = await makeOrg(server, 'Contract');
  const { id: app } = await org.client.must('POST /v1/apps', { name: 'Contract' });
  return {
    server,
    org,
    api: org.client,
    app,
    base: `/v1/apps/${app}`,
    async takes(t, line, body, status, why = '') {
      const reply = await org.client.call(line, body);
      t.equal(reply.status, status, `${line} ${why}: ${reply.text.slice(0, 200)}`);
      return reply;
    },
    async refuses(t, line, body, refusal, why = '') {
      const reply = await org.client.call(line, body);
      checkRefusal(t, reply, refusal, `${line} ${why}`);
      return reply;
    },
  };
}

/** Checks status and body of a refusal. */
export function checkRefusal(t: Test, reply: Reply, refusal: Refusal, what: string): void {
  const { status, code, field, error } = refusal;
  t.equal(reply.status, status, `${what}: ${reply.text.slice(0, 200)}`);
  t.type(reply.json?.error, 'string', `${what} has words`);
  t.type(reply.json?.code, 'string', `${what} has a code`);
  if (code !== undefined) t.equal(reply.json?.code, code, what);
  if (error !== undefined) t.match(reply.json?.error, error, what);
  if (field === undefined) return;
  t.equal(reply.json?.field, field, what);
  t.ok(String(reply.json?.error).startsWith(`${field}: `), `${what}: ${reply.json?.error}`);
}

/** A client of the chapter's server with another key. */
export function withKey({ server }: Chapter, key: string): Client {
  return client(server.url, key);
}
