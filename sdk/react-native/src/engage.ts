// Engage in React Native, by what the usual libraries offer: none of them is imported, so an app
// that has others hands in something of the same form.

import type { KeyValueStorage } from '../../native/src/key-value-store.ts';
import {
  NativeEngage,
  type PhoneToken,
  type PushData,
  type PushSource,
} from '../../native/src/native-engage.ts';
import { type NativeParts, nativePlatform } from '../../native/src/native-platform.ts';

interface Message {
  readonly data?: PushData;
}

/** As `messaging()` of `@react-native-firebase/messaging`. */
interface Messaging {
  getToken(): Promise<string>;
  onTokenRefresh(listener: (token: string) => void): () => void;
  onMessage(listener: (message: Message) => unknown): () => void;
  onNotificationOpenedApp(listener: (message: Message) => unknown): () => void;
  getInitialNotification(): Promise<Message | null>;
}

interface ReactNativeParts extends Pick<NativeParts, 'language' | 'instead'> {
  /** `AsyncStorage` of `@react-native-async-storage/async-storage`. */
  readonly storage: KeyValueStorage;
  /** `AppState` of `react-native`. */
  readonly appState: {
    addEventListener(name: 'change', listener: (state: string) => void): { remove(): void };
  };
  /** `NetInfo` of `@react-native-community/netinfo`. */
  readonly netInfo?: {
    addEventListener(
      listener: (state: { readonly isConnected: boolean | null }) => void,
    ): () => void;
  };
  readonly messaging?: Messaging;
}

/** One for an app. `init` begins it. */
export function engageForReactNative(parts: ReactNativeParts): NativeEngage {
  const { storage, appState, netInfo, messaging, ...more } = parts;
  const watch: NativeParts['watch'] = ({ hidden, shown, online }) => {
    const state = appState.addEventListener('change', (now) => {
      if (now === 'active') shown();
      else if (now === 'background') hidden();
    });
    let wasConnected = true;
    const stop = netInfo?.addEventListener(({ isConnected }) => {
      if (isConnected === true && !wasConnected) online();
      wasConnected = isConnected !== false;
    });
    return () => {
      state.remove();
      stop?.();
    };
  };
  const platform = nativePlatform({ storage, watch, ...more });
  return new NativeEngage(platform, messaging && pushOf(messaging));
}

/** Firebase has a token of its own on both systems. */
function pushOf(messaging: Messaging): PushSource {
  const tokenOf = (endpoint: string): PhoneToken => ({ channel: 'fcm', endpoint });
  return {
    token: async () => {
      const token = await messaging.getToken();
      return token === '' ? null : tokenOf(token);
    },
    watch({ token, received, opened }) {
      messaging.onTokenRefresh((one) => token(tokenOf(one)));
      messaging.onMessage(({ data = {} }) => received(data));
      messaging.onNotificationOpenedApp(({ data = {} }) => opened(data));
      // The notification that started the app.
      messaging.getInitialNotification().then(
        (message) => {
          if (message?.data !== undefined) opened(message.data);
        },
        () => undefined, // Without Google's services there is none.
      );
    },
  };
}
