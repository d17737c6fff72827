// What a channel cannot carry of a message, by member: its adapter omits it and sends the rest.
// Pure, and apart from the adapters, because stories tell it without them. A test holds it against
// what the adapters compose.

import { type ChannelId, channelLabels } from './channel-ids.ts';
import type { Dropped, RenderedContent } from './port/attempt.ts';
import { takesPictures } from './sms/pictures.ts';

interface Carries {
  /** Links that it opens; absent for all. */
  readonly opens?: RegExp;
  /** Buttons without a link; a function if it depends on the message. */
  readonly replies: boolean | ((content: RenderedContent) => boolean);
  readonly data: boolean | ((content: RenderedContent) => boolean);
  /** Why it shows no picture, if so. `address` is absent if unknown. */
  readonly noPicture?: (image: string, address: string | undefined) => string | undefined;
}

const web = /^https?:\/\//i;
const opensDeepLink = (opens: RegExp) => (content: RenderedContent) =>
  content.deepLink !== undefined && opens.test(content.deepLink);
const push: Carries = { replies: true, data: true };
const telegramLinks = /^(?:https?|tg):\/\//i;
const rcsLinks = /^(?:https?:|tel:\+[1-9]\d{6,14}$)/i;
const lineLinks = /^(?:https?|line|tel):/i;

const carriers: Readonly<Record<ChannelId, Carries>> = {
  fcm: push,
  apns: push,
  webpush: push,
  email: { replies: false, data: false },
  sms: {
    opens: web,
    replies: false,
    data: false,
    noPicture: (image, number) => {
      if (!web.test(image)) return 'a picture message needs a web address';
      return number === undefined || takesPictures(number)
        ? undefined
        : 'only numbers of the United States and Canada get pictures by SMS';
    },
  },
  voice: {
    opens: /^(?!)/,
    replies: false,
    data: false,
    noPicture: () => 'a call shows no pictures',
  },
  whatsapp: { opens: web, replies: opensDeepLink(web), data: false },
  telegram: { opens: telegramLinks, replies: opensDeepLink(telegramLinks), data: false },
  rcs: {
    opens: rcsLinks,
    replies: true,
    // Only what a pressed button returns.
    data: ({ buttons = [], deepLink }) =>
      buttons.some(({ url }) => url === undefined || rcsLinks.test(url)) ||
      (deepLink !== undefined && rcsLinks.test(deepLink)),
  },
  line: {
    opens: lineLinks,
    replies: fitsOnLineCard,
    data: false,
    noPicture: (image) =>
      image.startsWith('https://') ? undefined : 'LINE shows only pictures at https: addresses',
  },
  // A consultation has no buttons; the other kinds have.
  zalo: { opens: web, replies: true, data: false },
  viber: { opens: /^(?:https?|viber):\/\//i, replies: true, data: true },
  kakao: { replies: true, data: false },
};

/** `address`: the number, where it is known; it decides about pictures by SMS. */
export function droppedOn(
  channel: ChannelId,
  content: RenderedContent,
  { address, lane }: { readonly address?: string; readonly lane: 'express' | 'bulk' },
): readonly Dropped[] {
  if (content.liveActivity !== undefined) return [];
  if (
    channel === 'kakao' ||
    (channel === 'whatsapp' && content.payload?.['whatsapp'] !== undefined)
  )
    return notInTemplate(content);
  const label = channelLabels[channel];
  const carries = carriers[channel];
  const dropped: Dropped[] = [];
  const drop = (field: string, why: string) => dropped.push({ field, why });
  const { image, deepLink, buttons = [], data } = content;
  const picture = image === undefined ? undefined : carries.noPicture?.(image, address);
  if (picture !== undefined) drop('image', picture);
  if (deepLink !== undefined && !isOpened(carries, deepLink))
    drop('deepLink', whyNotOpened(channel, deepLink));
  const isConsultation =
    channel === 'zalo' && lane === 'express' && content.payload?.['zalo'] === undefined;
  const hasReplies = !isConsultation && isTrue(carries.replies, content);
  for (const [i, { url }] of buttons.entries())
    if (url === undefined ? !hasReplies : !isOpened(carries, url))
      drop(
        `buttons[${i}]`,
        url === undefined
          ? `${label} shows no button without a link here`
          : whyNotOpened(channel, url),
      );
  if (data !== undefined && !isTrue(carries.data, content))
    drop('data', `${label} has no place for custom data here`);
  return dropped;
}

function isTrue(rule: Carries['replies'], content: RenderedContent): boolean {
  return typeof rule === 'boolean' ? rule : rule(content);
}

function isOpened({ opens }: Carries, url: string): boolean {
  return opens === undefined || opens.test(url);
}

function whyNotOpened(channel: ChannelId, url: string): string {
  if (channel === 'voice') return 'a call shows no links';
  return `${channelLabels[channel]} opens no ${url.slice(0, url.indexOf(':') + 1)} links`;
}

/** Only a template's parameters are sent; its header may show the message's picture. */
function notInTemplate({ image, deepLink, buttons, data, payload }: RenderedContent) {
  const why = 'the approved template replaces it';
  const header = (payload?.['whatsapp'] as { readonly headerParams?: unknown } | undefined)
    ?.headerParams;
  const showsImage =
    Array.isArray(header) && header.some((one) => one?.type === 'image' && one.link === undefined);
  const members = { image: showsImage ? undefined : image, deepLink, buttons, data };
  return Object.entries(members)
    .filter(([, value]) => value !== undefined)
    .map(([field]) => ({ field, why }));
}

/** LINE shows buttons on a card; a message that does not fit on one is text with its links. */
function fitsOnLineCard({ title, body, image, buttons = [] }: RenderedContent): boolean {
  const shown = buttons.filter(({ url }) => url === undefined || lineLinks.test(url));
  if (shown.length > 4) return false;
  if (shown.some(({ label, url = '' }) => label.length > 20 || url.length > 1_000)) return false;
  const isBare = title === undefined && image?.startsWith('https://') !== true;
  if (body.length <= (isBare ? 160 : 60) && (title?.length ?? 0) <= 40) return true;
  return (title === undefined ? body : `${title}\n${body}`).length <= 160;
}
