// The core of the web SDK under the conformance scripts.

import { type CoreModules, EngageCore } from '../../../../sdk/web/src/core.ts';
import * as feed from '../../../../sdk/web/src/feed.ts';
import * as inboxCalls from '../../../../sdk/web/src/inbox/inbox-calls.ts';
import type { EngageError } from '../../../../sdk/web/src/problem.ts';
import * as profile from '../../../../sdk/web/src/profile.ts';
import * as rare from '../../../../sdk/web/src/rare.ts';
import { currentOf, type State } from '../../../../sdk/web/src/state.ts';
import type { Device, Driver, Sdk } from './driver.ts';
import { Machine } from './machine.ts';
import type { Json, JsonObject } from './script.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a script says, which its schema has checked.
type Named = Readonly<Record<string, any>>;
type Calls<Engage> = Readonly<Record<string, (engage: Engage, named: Named) => unknown>>;

const coreCalls: Calls<EngageCore> = {
  init: (engage, options) => engage.init(options as never),
  setConsent: (engage, { granted }) => engage.setConsent(granted),
  login: (engage, { externalUserId, ...options }) => engage.login(externalUserId, options),
  logout: (engage) => engage.logout(),
  user: (engage) => engage.user(),
  setTags: (engage, { tags }) => engage.setTags(tags),
  removeTags: (engage, { names }) => engage.removeTags(names),
  track: (engage, { name, props }) => engage.track(name, props),
  flush: (engage) => engage.flush(),
  reset: (engage) => engage.reset(),
  'flags.get': (engage, { key, fallback }) => engage.flags.get(key, fallback),
  'flags.variant': (engage, { key }) => engage.flags.variant(key),
  'flags.refresh': (engage) => engage.flags.refresh(),
  'inbox.list': (engage, named) => engage.inbox.list(named),
  'inbox.unread': (engage) => engage.inbox.unread(),
  'inbox.markRead': (engage, { id }) => engage.inbox.markRead(id),
};

/** Loaded already: the time that a file takes is none that a script lets pass. */
const loadedModules: CoreModules = {
  rare: async () => rare,
  feed: async () => feed,
  profile: async () => profile,
  inboxCalls: async () => inboxCalls,
};

/** What differs between the SDKs in TypeScript. */
interface TypeScriptSdk<Engage extends EngageCore> {
  readonly name: string;
  readonly can: readonly string[];
  readonly calls: Calls<Engage>;
  /** Called for each process of a device. */
  open(machine: Machine): Engage;
  /** Returns whether it knew what happened. */
  device?(engage: Engage, change: JsonObject): boolean;
}

function sdkInTypeScript<Engage extends EngageCore>(sdk: TypeScriptSdk<Engage>): Sdk {
  return {
    name: sdk.name,
    can: new Set(sdk.can),
    start: async (device) => driverOf(sdk, device),
  };
}

function driverOf<Engage extends EngageCore>(
  sdk: TypeScriptSdk<Engage>,
  { startMs, appId }: Device,
): Driver {
  const machine = new Machine(startMs);
  let engage = sdk.open(machine);
  return {
    open() {
      machine.restart();
      engage = sdk.open(machine);
      engage.on('error', ({ code, message, field }) =>
        machine.heard('error', { code, message, ...(field ? { field } : {}) }),
      );
      engage.flags.on('change', (values) => machine.heard('flags.change', values as never));
      return machine.report();
    },
    call(as, name, named) {
      const call = sdk.calls[name];
      if (call === undefined) throw new Error(`the driver has no call ${name}`);
      Promise.resolve()
        .then(() => call(engage, named as Named))
        .then(
          (value) => machine.ended(as, { value: asJson(value) }),
          (error: unknown) => machine.ended(as, { error: problemOf(error) }),
        );
      return machine.report();
    },
    answer(id, answer) {
      machine.answer(id, answer);
      return machine.report();
    },
    async pass(ms) {
      await machine.pass(ms);
      return machine.report();
    },
    device(change) {
      if (typeof change['online'] === 'boolean') machine.setOnline(change['online']);
      else if (typeof change['hidden'] === 'boolean') machine.setHidden(change['hidden']);
      else if (typeof change['clockMs'] === 'number') machine.setClock(change['clockMs']);
      else if (!sdk.device?.(engage, change))
        throw new Error(`the driver cannot do ${JSON.stringify(change)}`);
      return machine.report();
    },
    state: () => stateOf(machine, appId),
    end: async () => machine.restart(),
  };
}

/** By what is stored, without asking the SDK. */
async function stateOf(machine: Machine, appId: string): Promise<JsonObject> {
  const [state, waiting] = await machine.store().run(async (rows) => {
    const found = (await rows.get('state', appId)) as State | undefined;
    return [found, (await rows.first('queue', 1_001)).length] as const;
  });
  const { id, externalUserId } = state === undefined ? {} : currentOf(state);
  return { subscriberId: id ?? null, externalUserId: externalUserId ?? null, waiting };
}

function asJson(value: unknown): Json {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as Json);
}

function problemOf(error: unknown): JsonObject {
  const { code = 'no code', message, field } = error as EngageError;
  return { code, message, ...(field === undefined ? {} : { field }) };
}

export const coreOfTheWeb: Sdk = sdkInTypeScript({
  name: 'the core of the web SDK',
  can: [],
  calls: coreCalls,
  open: (machine) => new EngageCore(machine.platform(), loadedModules),
});
