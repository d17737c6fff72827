// How KakaoTalk speaks with its provider.

import { previewOf } from '../preview.ts';
import type { Provider } from '../provider.ts';
import { kakaoMessage } from './message.ts';

export const kakaoProvider = {
  // Without profile and number, which the credential knows.
  preview: previewOf((attempt, number) => kakaoMessage(attempt, number)),
  adapter: async () => (await import('./adapter.ts')).createKakao,
} as const satisfies Provider;
