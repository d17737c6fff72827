// Engage in Capacitor, by what its own plugins offer: none of them is imported, so an app hands
// them in. In the browser an app uses the web SDK instead.

import type { KeyValueStorage } from '../../native/src/key-value-store.ts';
import { NativeEngage, type PushData, type PushSource } from '../../native/src/native-engage.ts';
import { type NativeParts, nativePlatform } from '../../native/src/native-platform.ts';

interface Handle {
  remove(): Promise<void>;
}

/** As `PushNotifications` of `@capacitor/push-notifications`. */
interface PushPlugin {
  requestPermissions(): Promise<{ readonly receive: string }>;
  register(): Promise<void>;
  addListener(
    name: 'registration',
    listener: (token: { readonly value: string }) => void,
  ): Promise<Handle>;
  addListener(
    name: 'registrationError',
    listener: (error: { readonly error: string }) => void,
  ): Promise<Handle>;
  addListener(
    name: 'pushNotificationReceived',
    listener: (notification: { readonly data: PushData }) => void,
  ): Promise<Handle>;
  addListener(
    name: 'pushNotificationActionPerformed',
    listener: (action: { readonly notification: { readonly data: PushData } }) => void,
  ): Promise<Handle>;
}

interface CapacitorParts extends Pick<NativeParts, 'language' | 'instead'> {
  /** `Preferences` of `@capacitor/preferences`. */
  readonly preferences: {
    get(item: { readonly key: string }): Promise<{ readonly value: string | null }>;
    set(item: { readonly key: string; readonly value: string }): Promise<void>;
    remove(item: { readonly key: string }): Promise<void>;
  };
  /** `App` of `@capacitor/app`. */
  readonly app: {
    addListener(
      name: 'appStateChange',
      listener: (state: { readonly isActive: boolean }) => void,
    ): Promise<Handle>;
  };
  /** `Network` of `@capacitor/network`. */
  readonly network?: {
    addListener(
      name: 'networkStatusChange',
      listener: (status: { readonly connected: boolean }) => void,
    ): Promise<Handle>;
  };
  readonly push?: PushPlugin;
  /** `Capacitor.getPlatform()`: a token is APNs' on iOS, and FCM's on Android. */
  readonly platform: string;
}

/** One for an app. `init` begins it. */
export function engageForCapacitor(parts: CapacitorParts): NativeEngage {
  const { preferences, app, network, push, platform, ...more } = parts;
  const storage: KeyValueStorage = {
    getItem: async (key) => (await preferences.get({ key })).value,
    setItem: (key, value) => preferences.set({ key, value }),
    removeItem: (key) => preferences.remove({ key }),
  };
  const watch: NativeParts['watch'] = ({ hidden, shown, online }) => {
    const handles = [
      app.addListener('appStateChange', ({ isActive }) => (isActive ? shown() : hidden())),
      network?.addListener('networkStatusChange', ({ connected }) => {
        if (connected) online();
      }),
    ];
    return () => {
      for (const handle of handles)
        handle?.then(
          (one) => one.remove(),
          () => undefined, // It was never added.
        );
    };
  };
  const channel = platform === 'ios' ? 'apns' : 'fcm';
  return new NativeEngage(
    nativePlatform({ storage, watch, ...more }),
    push && pushOf(push, channel),
  );
}

function pushOf(push: PushPlugin, channel: 'fcm' | 'apns'): PushSource {
  return {
    async token() {
      const { receive } = await push.requestPermissions();
      if (receive !== 'granted') return null;
      let given: (token: string) => void = () => undefined;
      let failed: (error: Error) => void = () => undefined;
      const token = new Promise<string>((resolve, reject) => {
        [given, failed] = [resolve, reject];
      });
      const handles = [
        await push.addListener('registration', ({ value }) => given(value)),
        await push.addListener('registrationError', ({ error }) => failed(new Error(error))),
      ];
      try {
        await push.register();
        return { channel, endpoint: await token };
      } finally {
        for (const handle of handles) await handle.remove();
      }
    },
    watch({ token, received, opened }) {
      const added = [
        push.addListener('registration', ({ value }) => token({ channel, endpoint: value })),
        push.addListener('pushNotificationReceived', ({ data }) => received(data)),
        push.addListener('pushNotificationActionPerformed', ({ notification }) =>
          opened(notification.data),
        ),
      ];
      Promise.all(added).catch(() => undefined); // The plugin is missing: `token` says so.
    },
  };
}
