// Tabs of a device without a browser, with the core of the SDK in each, and an app on a server.

import type { Test } from 'tap';
import { EngageCore, type InitOptions } from '../../../../sdk/web/src/core.ts';
import { coreModules } from '../../../../sdk/web/src/core-modules.ts';
import { makeOrg, sharedServer } from '../../../support/server.ts';
import type { StandInDevice, StandInPage } from './stand-in-device.ts';

export interface Problem {
  readonly code: string;
  readonly message: string;
}

interface Tab {
  readonly page: StandInPage;
  readonly engage: EngageCore;
  readonly problems: Problem[];
}

/** Without options it has not called `init`. */
export function openTab(device: StandInDevice, options?: InitOptions): Tab {
  const page = device.open();
  const engage = new EngageCore(page.platform, coreModules);
  const problems: Problem[] = [];
  engage.on('error', (problem) => problems.push(problem));
  if (options !== undefined) void engage.init(options);
  return { page, engage, problems };
}

/** Lets time pass until it is done. */
export async function done<Value>(device: StandInDevice, work: Promise<Value>): Promise<Value> {
  let isDone = false;
  const ended = work.finally(() => {
    isDone = true;
  });
  ended.catch(() => undefined);
  for (let turn = 0; turn < 1_000 && !isDone; turn++) {
    device.pass(1);
    await device.idle();
  }
  return ended;
}

export async function openApp(t: Test) {
  const server = await sharedServer(t, { ENGAGE_PER_IP_PER_MINUTE: '0' });
  const { client } = await makeOrg(server, 'loop');
  const { id: appId } = await client.must('POST /v1/apps', { name: 'shop', timezone: 'UTC' });
  await client.must(`PATCH /v1/apps/${appId}/settings`, { identityVerification: 'open' });
  const heard = async (name: string) => {
    const { items } = await client.must(`GET /v1/apps/${appId}/events?name=${name}`);
    return items as readonly { readonly id: string; readonly externalUserId: string | null }[];
  };
  const call = (line: string, body?: object) => {
    const [method, path] = line.split(' ');
    return client.must(`${method} /v1/apps/${appId}${path}`, body);
  };
  return { options: { appId, baseUrl: server.url }, heard, call };
}
