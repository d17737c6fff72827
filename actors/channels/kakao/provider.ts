// How KakaoTalk talks to Solapi.

import { previewOf } from '../port/preview.ts';
import type { Provider } from '../port/provider.ts';
import { kakaoMessage } from './message.ts';

export const kakaoProvider = {
  // Without profile and number, which are in the credential.
  preview: previewOf((attempt, number) => kakaoMessage(attempt, number)),
  adapter: async () => (await import('./adapter.ts')).createKakao,
} as const satisfies Provider;
