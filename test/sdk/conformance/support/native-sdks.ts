// The SDKs of React Native and Capacitor under the conformance scripts, with stand-ins of what the
// system and the usual libraries offer.

import { engageForCapacitor } from '../../../../sdk/capacitor/src/engage.ts';
import { keyValueStore } from '../../../../sdk/native/src/key-value-store.ts';
import type { NativeEngage, PhoneToken } from '../../../../sdk/native/src/native-engage.ts';
import type { NativeParts } from '../../../../sdk/native/src/native-platform.ts';
import { engageForReactNative } from '../../../../sdk/react-native/src/engage.ts';
import { type Calls, coreCalls, coreCan, sdkInTypeScript } from './core-sdk.ts';
import type { Sdk } from './driver.ts';
import type { Machine } from './machine.ts';

type Data = Readonly<Record<string, unknown>>;

/** What outlives the app's process on one phone, and what the process of now listens to. */
class Phone {
  readonly stored = new Map<string, string>();
  token: PhoneToken | undefined;
  renewed: (endpoint: string) => void = () => undefined;
  opened: (data: Data) => void = () => undefined;

  /** Of another process than the one before. */
  restart(): void {
    this.renewed = this.opened = () => undefined;
  }

  readonly storage = {
    getItem: async (key: string) => this.stored.get(key) ?? null,
    setItem: async (key: string, value: string) => void this.stored.set(key, value),
    removeItem: async (key: string) => void this.stored.delete(key),
  };
}

const phones = new WeakMap<Machine, Phone>();

function phoneOf(machine: Machine): Phone {
  const phone = phones.get(machine) ?? new Phone();
  phones.set(machine, phone);
  return phone;
}

function insteadOf(machine: Machine): NonNullable<NativeParts['instead']> {
  return {
    send: (request) => machine.send(request),
    now: () => machine.now(),
    monotonic: () => machine.monotonic(),
    random: () => 0.5,
    after: (ms, callback) => machine.after(ms, callback),
    timezone: machine.zone,
    language: machine.language,
  };
}

const calls: Calls<NativeEngage> = {
  ...coreCalls,
  'push.subscribe': (engage) => engage.push.subscribe(),
  'push.unsubscribe': (engage) => engage.push.unsubscribe(),
};

function nativeSdk(name: string, open: (machine: Machine, phone: Phone) => NativeEngage): Sdk {
  return sdkInTypeScript<NativeEngage>({
    name,
    can: [...coreCan, 'push'],
    calls,
    open(machine) {
      const phone = phoneOf(machine);
      phone.restart();
      return open(machine, phone);
    },
    store: (machine) => keyValueStore(phoneOf(machine).storage, 'engage'),
    device(machine, change) {
      const phone = phoneOf(machine);
      if ('opened' in change) phone.opened(change['opened'] as Data);
      else if ('token' in change) {
        phone.token = change['token'] as unknown as PhoneToken;
        phone.renewed(phone.token.endpoint);
      } else return false;
      return true;
    },
  });
}

const nothing = () => undefined;

export const reactNative = nativeSdk('the SDK for React Native', (machine, phone) =>
  engageForReactNative({
    storage: phone.storage,
    appState: { addEventListener: () => ({ remove: nothing }) },
    netInfo: {
      addEventListener(listener) {
        return machine.watch({
          hidden: nothing,
          shown: nothing,
          online() {
            listener({ isConnected: false });
            listener({ isConnected: true });
          },
        });
      },
    },
    messaging: {
      getToken: async () => phone.token?.endpoint ?? '',
      onTokenRefresh(listener) {
        phone.renewed = listener;
        return nothing;
      },
      onMessage: () => nothing,
      onNotificationOpenedApp(listener) {
        phone.opened = (data) => void listener({ data });
        return nothing;
      },
      getInitialNotification: async () => null,
    },
    instead: insteadOf(machine),
  }),
);

export const capacitor = nativeSdk('the SDK for Capacitor', (machine, phone) => {
  const registered = new Set<(token: { readonly value: string }) => void>();
  phone.renewed = (value) => {
    for (const listener of registered) listener({ value });
  };
  return engageForCapacitor({
    preferences: {
      get: async ({ key }) => ({ value: await phone.storage.getItem(key) }),
      set: ({ key, value }) => phone.storage.setItem(key, value),
      remove: ({ key }) => phone.storage.removeItem(key),
    },
    app: { addListener: async () => ({ remove: async () => undefined }) },
    network: {
      async addListener(_name, listener) {
        const online = () => listener({ connected: true });
        machine.watch({ hidden: nothing, shown: nothing, online });
        return { remove: async () => undefined };
      },
    },
    push: {
      requestPermissions: async () => ({ receive: 'granted' }),
      async register() {
        if (phone.token !== undefined) phone.renewed(phone.token.endpoint);
      },
      async addListener(name: string, listener: (told: never) => void) {
        const heard = listener as (told: unknown) => void;
        if (name === 'registration') registered.add(heard);
        if (name === 'pushNotificationActionPerformed')
          phone.opened = (data) => heard({ notification: { data } });
        return { remove: async () => void registered.delete(heard) };
      },
    },
    platform: 'android',
    instead: insteadOf(machine),
  });
});
