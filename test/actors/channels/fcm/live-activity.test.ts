// An update of a Live Activity as FCM's request: two tokens, and Apple's payload inside.

import t from 'tap';
import { fcmMessage } from '../../../../actors/channels/fcm/message.ts';
import { acceptedMs, anAttempt } from '../stand-ins.ts';

const pushToken = 'ab'.repeat(80);
const liveActivity = {
  event: 'update',
  timestamp: 1_790_000_000,
  contentState: { eta: 12 },
} as const;
const attempt = {
  ...anAttempt({ channel: 'fcm', content: { liveActivity } }),
  activity: { pushToken, rotations: 0 },
};

t.test('the phone is the recipient, and the activity stands beside its payload', async (t) => {
  const made = fcmMessage(attempt, 'phone-1', 60, acceptedMs);
  t.same('body' in made && JSON.parse(made.body), {
    message: {
      token: 'phone-1',
      data: { engageSendId: attempt.sendId, engageDeviceId: attempt.deviceId },
      apns: {
        live_activity_token: pushToken,
        headers: {
          'apns-priority': '10',
          'apns-expiration': String(Math.floor(acceptedMs / 1000) + 60),
        },
        payload: {
          aps: { timestamp: 1_790_000_000, event: 'update', 'content-state': { eta: 12 } },
        },
      },
    },
  });
});

t.test('one without its token, and one that Apple would not take, is no call', async (t) => {
  const { activity: _activity, ...without } = attempt;
  t.match(fcmMessage(without, 'phone-1', 60, acceptedMs), { reason: 'invalid_content' });
  const content = {
    ...attempt.content,
    liveActivity: { ...liveActivity, contentState: { x: 'x'.repeat(4_096) } },
  };
  t.match(fcmMessage({ ...attempt, content }, 'phone-1', 60, acceptedMs), {
    outcome: 'permanent',
    reason: 'payload_too_large',
  });
});
