// A push as its recipient sees it: the alert, with picture and buttons that app extensions draw
// from fields beside `aps`. The rest is details.

import type { IncomingHttpHeaders } from 'node:http2';
import { type JsonObject, objectOrEmpty, textOf } from '../json.ts';
import { contentOfActivity, problemOfActivity } from '../live-activity.ts';
import type { Content, ContentButton } from '../message.ts';
import { isLiveActivity, single } from './apns-rules.ts';

/** `payload` is empty if the body was no JSON object. */
export function contentOfPush(
  payload: JsonObject,
  headers: IncomingHttpHeaders,
  drop?: string,
): Content {
  if (isLiveActivity(headers) && Object.keys(payload).length > 0)
    return activityOf(payload, headers, drop);
  const { aps: apsMember, image, deepLink, buttons: buttonList, ...data } = payload;
  const aps = objectOrEmpty(apsMember);
  const { alert: alertMember, badge, ...options } = aps;
  const alert = objectOrEmpty(alertMember);
  const title = textOf(alert['title']);
  const text = textOf(alertMember) ?? linesOf(textOf(alert['subtitle']), textOf(alert['body']));
  const buttons = buttonsOf(buttonList);
  const imageUrl = textOf(image);
  const link = textOf(deepLink);
  const sender = single(headers, 'apns-topic');
  const note = noteOf(payload, title ?? text, imageUrl, buttons, aps);
  return {
    ...(sender === undefined ? undefined : { sender }),
    ...(title === undefined ? undefined : { title }),
    ...(text === undefined ? undefined : { text }),
    ...(imageUrl === undefined ? undefined : { image: imageUrl }),
    ...(typeof badge === 'number' && { badge }),
    ...(link === undefined ? undefined : { link }),
    ...(buttons.length > 0 && { buttons }),
    details: [
      ...headersOf(headers),
      ...Object.entries(options).map(([name, value]) => [`aps.${name}`, written(value)] as const),
      ...Object.entries(data).map(([name, value]) => [name, written(value)] as const),
    ],
    ...(note === undefined ? undefined : { note }),
  };
}

const headerNames = [
  'apns-push-type',
  'apns-priority',
  'apns-expiration',
  'apns-collapse-id',
  'apns-id',
] as const;

/** `drop`: why the device does not show it. */
function activityOf(
  payload: JsonObject,
  headers: IncomingHttpHeaders,
  drop: string | undefined,
): Content {
  const content = contentOfActivity(payload, drop ?? problemOfActivity(payload, Infinity));
  const sender = single(headers, 'apns-topic');
  return {
    ...(sender === undefined ? undefined : { sender }),
    ...content,
    details: [...headersOf(headers), ...(content.details ?? [])],
  };
}

function headersOf(headers: IncomingHttpHeaders): (readonly [string, string])[] {
  return headerNames.flatMap((name) => {
    const value = single(headers, name);
    return value === undefined ? [] : [[name, value] as const];
  });
}

function noteOf(
  payload: JsonObject,
  said: string | undefined,
  image: string | undefined,
  buttons: readonly ContentButton[],
  aps: JsonObject,
): string | undefined {
  if (Object.keys(payload).length === 0) return 'Not a payload: no JSON object';
  if (said === undefined) return 'The app is told, the person sees nothing';
  if ((image !== undefined || buttons.length > 0) && aps['mutable-content'] !== 1) {
    return 'Without mutable-content the picture and the buttons stay unseen';
  }
  return undefined;
}

function buttonsOf(value: unknown): ContentButton[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: unknown) => {
    const { label, url } = objectOrEmpty(entry);
    const text = textOf(label);
    const link = textOf(url);
    return text === undefined ? [] : [{ label: text, ...(link && { url: link }) }];
  });
}

function linesOf(...lines: readonly (string | undefined)[]): string | undefined {
  const said = lines.filter((line) => line !== undefined);
  return said.length === 0 ? undefined : said.join('\n');
}

function written(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
