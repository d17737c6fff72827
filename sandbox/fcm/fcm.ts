// Stand-in for FCM v1: `POST /fcm/v1/projects/<project>/messages:send`. Only a 404 or 403 with an
// FcmError detail concerns the token; others concern the project and must never remove a device.
// Token prefixes in `namedFaults` trigger faults.

import type { NamedFault } from '../faults.ts';
import { isIssuedToken } from '../google-token.ts';
import { isJsonObject, type JsonObject, objectOrEmpty, parseJson, textOf } from '../json.ts';
import { contentOfActivity, ShownActivities } from '../live-activity.ts';
import type { Content, ContentButton } from '../message.ts';
import {
  type HttpStandIn,
  jsonAnswer,
  type Received,
  type StandInResponse,
  type Verdict,
  type World,
} from '../stand-in.ts';
import { activityTokenOf, problemOfFcmMessage } from './fcm-message.ts';

/** Accepted beside the token endpoint's tokens, so that an app can start without credentials. */
export const fixedBearer = 'sandbox';
/** FCM limits payloads to 4,096 bytes; this only bounds memory. */
const bodyBytesMax = 256 * 1024;
const sendPath = /^\/v1\/projects\/([^/]+)\/messages:send$/;

export function fcmStandIn(world: World): HttpStandIn {
  let sent = 0;
  const shown = new ShownActivities();
  return {
    transport: 'http',
    channel: 'fcm',
    label: 'Push',
    look: 'phone',
    mount: '/fcm',
    urls: { FCM: '/fcm' },
    bodyBytesMax,
    namedFaults,
    refusal,
    receive(received) {
      const project = received.method === 'POST' ? sendPath.exec(received.path)?.[1] : undefined;
      if (project === undefined)
        return { answer: bareError(404, 'NOT_FOUND', 'Requested entity was not found.') };
      const request = parseJson(received.body.toString());
      const verdict = judge(received, request, project);
      if (verdict) return verdict;
      const { validate_only: isTrial = false } = objectOrEmpty(request);
      if (isTrial === true)
        return {
          answer: jsonAnswer(200, { name: `projects/${project}/messages/fake_message_id` }),
        };
      const number = `${world.clock.now()}${String(++sent).padStart(6, '0')}`;
      const answer = jsonAnswer(200, {
        name: `projects/${project}/messages/0:${number}%${hexOf(sent)}`,
      });
      return { answer, ...shownTo(recipientOf(request, project), request, shown) };
    },
  };
}

/** FCM's refusal, or `undefined` for a valid call. */
function judge(received: Received, request: unknown, project: string): Verdict | undefined {
  if (!isAuthorised(received)) {
    return {
      answer: bareError(
        401,
        'UNAUTHENTICATED',
        'Request had invalid authentication credentials. Expected OAuth 2 access token.',
      ),
      ...recipientOf(request, project),
    };
  }
  if (!isJsonObject(request)) return { answer: badRequest('', 'Invalid JSON payload received.') };
  for (const name in request) {
    if (name !== 'message' && name !== 'validate_only' && name !== 'validateOnly') {
      return {
        answer: badRequest(
          '',
          `Invalid JSON payload received. Unknown name "${name}": Cannot find field.`,
        ),
      };
    }
  }
  const problem = problemOfFcmMessage(request['message'], received.nowMs);
  if (problem) {
    const answer =
      problem.kind === 'violation'
        ? badRequest(problem.field, `Invalid JSON payload received. ${problem.message}`)
        : fcmError(400, 'INVALID_ARGUMENT', 'INVALID_ARGUMENT', problem.message);
    return { answer, ...recipientOf(request, project) };
  }
  if (project.startsWith('badproj')) return { answer: noProject, ...recipientOf(request, project) };
  return undefined;
}

function isAuthorised(received: Received): boolean {
  const { authorization } = received.headers;
  if (!authorization?.startsWith('Bearer ')) return false;
  const token = authorization.slice(7);
  return token === fixedBearer || isIssuedToken(token, received.nowMs);
}

const noProject = bareError(404, 'NOT_FOUND', 'Requested entity was not found.');

const namedFaults: readonly NamedFault<StandInResponse>[] = [
  {
    prefix: 'dead',
    says: '404 UNREGISTERED: the app was removed from the device',
    effect: () =>
      replyWith(fcmError(404, 'NOT_FOUND', 'UNREGISTERED', 'Requested entity was not found.')),
  },
  {
    prefix: 'badproj',
    says: '404 without FcmError: the project does not exist',
    effect: () => replyWith(noProject),
  },
  {
    prefix: 'badarg',
    says: '400 INVALID_ARGUMENT: not a registration token',
    effect: () =>
      replyWith(
        fcmError(
          400,
          'INVALID_ARGUMENT',
          'INVALID_ARGUMENT',
          'The registration token is not a valid FCM registration token',
        ),
      ),
  },
  {
    prefix: 'quota',
    says: '429 QUOTA_EXCEEDED, Retry-After 2 s (quota30… says 30)',
    effect: (seconds) => replyWith(refusal(429, seconds ?? 2)),
  },
  {
    prefix: 'busy',
    says: '503 UNAVAILABLE',
    effect: (seconds) => replyWith(refusal(503, seconds)),
  },
  {
    prefix: 'mism',
    says: '403 SENDER_ID_MISMATCH: a token of another project',
    effect: () =>
      replyWith(fcmError(403, 'PERMISSION_DENIED', 'SENDER_ID_MISMATCH', 'SenderId mismatch')),
  },
  {
    prefix: 'iam',
    says: '403 without FcmError: the service account may not send',
    effect: () => replyWith(refusal(403, undefined)),
  },
];

const refusals: Readonly<
  Record<number, readonly [status: string, errorCode: string | undefined, message: string]>
> = {
  400: ['INVALID_ARGUMENT', 'INVALID_ARGUMENT', 'Request contains an invalid argument.'],
  401: ['UNAUTHENTICATED', 'THIRD_PARTY_AUTH_ERROR', 'Auth error from APNS or Web Push Service'],
  403: [
    'PERMISSION_DENIED',
    undefined,
    "Permission 'cloudmessaging.messages.create' denied on resource '//cloudresourcemanager.googleapis.com/projects/sandbox'.",
  ],
  404: ['NOT_FOUND', 'UNREGISTERED', 'Requested entity was not found.'],
  413: ['INVALID_ARGUMENT', undefined, 'Request payload size exceeds the limit.'],
  429: ['RESOURCE_EXHAUSTED', 'QUOTA_EXCEEDED', 'Sending quota exceeded for this project.'],
  500: ['INTERNAL', 'INTERNAL', 'Internal error encountered.'],
  503: ['UNAVAILABLE', 'UNAVAILABLE', 'The service is currently unavailable.'],
};

function refusal(status: number, retryAfterSeconds: number | undefined): StandInResponse {
  const [name, errorCode, message] = refusals[status] ?? [
    'UNKNOWN',
    undefined,
    `Fault ${status} on demand.`,
  ];
  const headers =
    retryAfterSeconds === undefined ? undefined : { 'retry-after': String(retryAfterSeconds) };
  return errorCode === undefined
    ? bareError(status, name, message, headers)
    : fcmError(status, name, errorCode, message, headers);
}

function replyWith(reply: StandInResponse): { kind: 'reply'; reply: StandInResponse } {
  return { kind: 'reply', reply };
}

function fcmError(
  code: number,
  status: string,
  errorCode: string,
  message: string,
  headers?: Record<string, string>,
): StandInResponse {
  const details = [{ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode }];
  return jsonAnswer(code, { error: { code, message, status, details } }, headers);
}

function badRequest(field: string, message: string): StandInResponse {
  const fieldViolations = [{ ...(field && { field }), description: message }];
  const details = [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations }];
  return jsonAnswer(400, { error: { code: 400, message, status: 'INVALID_ARGUMENT', details } });
}

function bareError(
  code: number,
  status: string,
  message: string,
  headers?: Record<string, string>,
): StandInResponse {
  return jsonAnswer(code, { error: { code, message, status } }, headers);
}

function recipientOf(request: unknown, project: string): Omit<Verdict, 'answer'> {
  const wrapped = objectOrEmpty(request);
  const message = objectOrEmpty(wrapped['message']);
  const token = textOf(message['token']);
  const to = token ?? targetOf(message);
  const data = objectOrEmpty(message['data']);
  const sendId = textOf(data['engageSendId']);
  const deviceId = textOf(data['engageDeviceId']);
  const isDryRun = wrapped['validate_only'] === true || wrapped['validateOnly'] === true;
  return {
    to,
    name: token ?? '',
    message: {
      ...(sendId === undefined ? undefined : { sendId }),
      ...(deviceId === undefined ? undefined : { deviceId }),
      read: () => contentOf(message, data, project, isDryRun),
    },
  };
}

/** For a Live Activity, which the phone may drop; a token `dead…` is gone. */
function shownTo(
  verdict: Omit<Verdict, 'answer'>,
  request: unknown,
  shown: ShownActivities,
): Omit<Verdict, 'answer'> {
  const message = objectOrEmpty(objectOrEmpty(request)['message']);
  const token = textOf(activityTokenOf(message));
  if (token === undefined || verdict.message === undefined) return verdict;
  const { payload } = objectOrEmpty(message['apns']);
  let drop: string | undefined;
  return {
    ...verdict,
    ...(/^dead/i.test(token) && { name: token }),
    taken: () => {
      drop = shown.show(token, objectOrEmpty(payload));
    },
    message: {
      ...verdict.message,
      read() {
        const content = contentOfActivity(objectOrEmpty(payload), drop);
        const details = [['live_activity_token', token] as const, ...(content.details ?? [])];
        return { ...content, details };
      },
    },
  };
}

function targetOf(message: JsonObject): string {
  const topic = textOf(message['topic']);
  return topic === undefined ? (textOf(message['condition']) ?? '(nobody)') : `topic ${topic}`;
}

function contentOf(
  message: JsonObject,
  data: JsonObject,
  project: string,
  isDryRun: boolean,
): Content {
  const notification = objectOrEmpty(message['notification']);
  const android = objectOrEmpty(message['android']);
  const onAndroid = objectOrEmpty(android['notification']);
  const aps = objectOrEmpty(objectOrEmpty(objectOrEmpty(message['apns'])['payload'])['aps']);
  const title = textOf(onAndroid['title']) ?? textOf(notification['title']);
  const text = textOf(onAndroid['body']) ?? textOf(notification['body']);
  const image = textOf(onAndroid['image']) ?? textOf(notification['image']);
  const badge = onAndroid['notification_count'] ?? aps['badge'];
  const link = textOf(data['deepLink']);
  const buttons = buttonsOf(data['buttons']);
  const note = isDryRun
    ? 'validate_only: checked by FCM, delivered to nobody'
    : title === undefined && text === undefined
      ? 'A data message: the app gets it, the person sees nothing'
      : undefined;
  return {
    sender: project,
    ...(title === undefined ? undefined : { title }),
    ...(text === undefined ? undefined : { text }),
    ...(image === undefined ? undefined : { image }),
    ...(typeof badge === 'number' && { badge }),
    ...(link === undefined ? undefined : { link }),
    ...(buttons.length > 0 && { buttons }),
    details: [
      ...optionsOf(android, onAndroid),
      ...Object.entries(data).map(([name, value]) => [`data.${name}`, String(value)] as const),
    ],
    ...(note === undefined ? undefined : { note }),
  };
}

function optionsOf(android: JsonObject, onAndroid: JsonObject): (readonly [string, string])[] {
  const options: (readonly [string, unknown])[] = [
    ['priority', android['priority']],
    ['ttl', android['ttl']],
    ['collapse key', android['collapse_key']],
    ['channel', onAndroid['channel_id']],
    ['sound', onAndroid['sound']],
  ];
  return options.flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
}

/** JSON text in the data, because FCM has no buttons: the app draws them. */
function buttonsOf(value: unknown): ContentButton[] {
  const parsed = typeof value === 'string' ? parseJson(value) : undefined;
  if (!Array.isArray(parsed)) return [];
  return parsed.flatMap((entry: unknown) => {
    const button = objectOrEmpty(entry);
    const label = textOf(button['label']) ?? textOf(button['title']);
    const url = textOf(button['url']);
    return label === undefined ? [] : [{ label, ...(url === undefined ? undefined : { url }) }];
  });
}

function hexOf(number: number): string {
  return (number * 2_654_435_761).toString(16).padStart(16, '0').slice(-16);
}
