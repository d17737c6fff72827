// From an item of a preview to the message that `looks/` draws: what the provider would receive,
// read as its app would show it. Where the provider's form says no more than the content, the
// content is shown.

import type { AnswerOf } from '../api/client.ts';
import type { Channel } from '../api/generated.ts';
import { unescaped } from './entities.ts';
import { firstWords, mailColors } from './mail-words.ts';

export type PreviewItem = AnswerOf<'previewDraft'>['items'][number];

interface LookButton {
  readonly label: string;
  readonly url?: string;
}

/** The members are those of `looks/README.md`. */
export interface LookMessage {
  readonly channel: string;
  readonly at: string;
  readonly to: string;
  readonly sender?: string;
  readonly title?: string;
  readonly text?: string;
  readonly image?: string;
  readonly badge?: number;
  readonly buttons?: readonly LookButton[];
  readonly htmlPath?: string;
  readonly colors?: 'light' | 'light dark';
  readonly preheader?: string;
  readonly said?: readonly string[];
  readonly rows?: readonly (readonly [name: string, value: string])[];
}

interface Shown {
  readonly at: string;
  /** The app's name, where the sender is known only when it is sent. */
  readonly appName: string;
}

type Json = Readonly<Record<string, unknown>>;
type Parts = Omit<LookMessage, 'channel' | 'at' | 'to' | 'sender'>;

export function lookOf(item: PreviewItem, { at, appName }: Shown): LookMessage {
  const { channel, payload = {} } = item;
  const base = contentOf(item);
  const own = partsByChannel[channel]?.(payload, item) ?? {};
  const to = text(payload['to']) ?? text(payload['To']) ?? '';
  return {
    ...base,
    ...own,
    channel,
    at,
    to,
    sender: channel === 'email' ? (text(payload['from']) ?? appName) : appName,
  };
}

/** What people write, without a channel's form. */
function contentOf({ content }: PreviewItem): Parts {
  if (content === undefined) return {};
  const { title, body, image, buttons = [], badgeCount } = content;
  return {
    ...(title === undefined ? {} : { title }),
    ...(body === undefined ? {} : { text: body }),
    ...(image === undefined ? {} : { image }),
    ...(badgeCount === undefined ? {} : { badge: badgeCount }),
    buttons: buttons.map(({ label = '', url }) => ({
      label,
      ...(url === undefined ? {} : { url }),
    })),
  };
}

const partsByChannel: Readonly<Record<Channel, (payload: Json, item: PreviewItem) => Parts>> = {
  fcm: (payload) => notice(json(json(payload['message'])['notification'])),
  apns: (payload) => {
    const { alert } = json(payload['aps']);
    return typeof alert === 'string' ? { title: '', text: alert } : notice(json(alert));
  },
  webpush: (payload) => notice(payload),
  email: (payload, { mailPath }) => {
    const html = text(payload['html']) ?? '';
    return {
      title: text(payload['subject']) ?? '',
      text: text(payload['text']) ?? '',
      buttons: [],
      ...(mailPath === undefined ? {} : { htmlPath: mailPath }),
      colors: mailColors(html),
      ...present('preheader', firstWords(html)),
    };
  },
  sms: (payload) => worded(text(payload['Body'])),
  voice: (payload) => ({ said: saidIn(text(payload['Twiml']) ?? ''), buttons: [] }),
  whatsapp: whatsappParts,
  telegram: telegramParts,
  rcs: (payload) => {
    const { text: words, richCard } = json(payload['contentMessage']);
    const { title, description } = json(json(json(richCard)['standaloneCard'])['cardContent']);
    return richCard === undefined
      ? worded(text(words), true)
      : { title: text(title) ?? '', text: text(description) ?? '' };
  },
  line: (payload) => {
    const last = json(list(payload['messages']).at(-1));
    const template = json(last['template']);
    return last['type'] === 'template'
      ? { title: text(template['title']) ?? '', text: text(template['text']) ?? '' }
      : worded(text(last['text']));
  },
  zalo: zaloParts,
  viber: (payload) => worded(text(payload['text']), true),
  kakao: (payload) => {
    const [message] = list(payload['messages']);
    const { templateId, variables } = json(json(message)['kakaoOptions']);
    const filled = pairs(variables).map(([name, value]) => `${name} ${value}`);
    // Its words, pictures and buttons are KakaoTalk's, as approved.
    return {
      title: '',
      text: [`Template ${text(templateId) ?? ''}`, ...filled].join('\n'),
      image: '',
      buttons: [],
    };
  },
};

/** Title and text as a device shows them: without the markup of an HTML body. */
function notice({ title, body }: Json): Parts {
  return { title: text(title) ?? '', text: text(body) ?? '' };
}

/** One text that has the title within it; buttons stay where the channel has some. */
function worded(value: string | undefined, hasButtons = false): Parts {
  if (value === undefined) return {};
  return { title: '', text: value, ...(hasButtons ? {} : { buttons: [] }) };
}

/** A first line in bold is a title, as its app shows it. */
function telegramParts(payload: Json): Parts {
  const html = text(payload['caption']) ?? text(payload['text']) ?? '';
  const [, title, rest] = /^<b>([^<]*)<\/b>(?:\n|$)([\s\S]*)$/.exec(html) ?? [];
  return { ...worded(plain(rest ?? html), true), title: plain(title) ?? '' };
}

function whatsappParts(payload: Json): Parts {
  const type = text(payload['type']) ?? '';
  if (type === 'template') return whatsappTemplate(json(payload['template']));
  if (type !== 'interactive') {
    const { body, caption } = json(payload[type]);
    const said = text(body) ?? text(caption) ?? '';
    const [, title, rest] = /^\*([^*\n]+)\*(?:\n|$)([\s\S]*)$/.exec(said) ?? [];
    return { ...worded(rest ?? said), title: title ?? '' };
  }
  const { header, body, action } = json(payload['interactive']);
  const { parameters, buttons } = json(action);
  const { display_text: label, url } = json(parameters);
  const replies = list(buttons).map((one) => ({
    label: text(json(json(one)['reply'])['title']) ?? '',
  }));
  const link =
    text(label) === undefined ? [] : [{ label: text(label) ?? '', url: text(url) ?? '' }];
  return {
    title: text(json(header)['text']) ?? '',
    text: text(json(body)['text']) ?? '',
    buttons: [...link, ...replies],
  };
}

/** Its words are with the provider; what is filled in is known. */
function whatsappTemplate({ name, language, components }: Json): Parts {
  const values = list(components).flatMap((one) =>
    list(json(one)['parameters']).map((parameter) => text(json(parameter)['text']) ?? ''),
  );
  const filled = values.map((value, at) => `{{${at + 1}}} = ${value}`);
  return {
    title: `${text(name) ?? ''} · ${text(json(language)['code']) ?? ''}`,
    text: filled.join('\n'),
    buttons: [],
  };
}

function zaloParts(payload: Json): Parts {
  const message = json(payload['message']);
  const inner = json(json(message['attachment'])['payload']);
  const rows = list(inner['elements'])
    .filter((one) => json(one)['type'] === 'table')
    .flatMap((one) => list(json(one)['content']))
    .map((row) => [text(json(row)['key']) ?? '', text(json(row)['value']) ?? ''] as const);
  return { ...worded(text(message['text']), true), rows };
}

/** Where a mail offers to unsubscribe, by what the server made of it. */
export function unsubscribesIn({
  payload = {},
}: PreviewItem): 'both' | 'header' | 'footer' | 'none' {
  const headers = json(payload['headers']);
  const link = /^<([^>]+)>/.exec(text(headers['List-Unsubscribe']) ?? '')?.[1];
  const hasFooter = (text(payload['html']) ?? '').includes('href="https://unsubscribe.invalid/');
  if (link === undefined) return hasFooter ? 'footer' : 'none';
  return hasFooter ? 'both' : 'header';
}

/** The sentences that a voice says. */
export function saidIn(twiml: string): readonly string[] {
  return [...twiml.matchAll(/<Say[^>]*>([\s\S]*?)<\/Say>/g)].map(([, said = '']) =>
    unescaped(said),
  );
}

function present<Name extends string>(name: Name, value: string | undefined) {
  return (value === undefined ? {} : { [name]: value }) as Partial<Record<Name, string>>;
}

function plain(html: string | undefined): string | undefined {
  return html === undefined ? undefined : unescaped(html.replace(/<[^>]*>/g, ''));
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function json(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function pairs(value: unknown): readonly (readonly [string, string])[] {
  return Object.entries(json(value)).map(([name, inner]) => [name, String(inner)]);
}
