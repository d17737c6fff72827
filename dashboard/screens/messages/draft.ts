// A message as the editor holds it: every field there, texts empty where the API leaves them out,
// maps as rows so that a half-typed key loses nothing. Pure.

import type { ArgumentsOf } from '../../api/client.ts';
import type { Channel, Message, MessageTemplate } from '../../api/generated.ts';

export type MessageBody = ArgumentsOf<'createMessage'>['body'];
export type Saved = Message | MessageTemplate;

export interface ButtonDraft {
  readonly id: string;
  readonly label: string;
  readonly url: string;
}

/** What each language has of its own. */
export interface TextDraft {
  readonly title: string;
  readonly body: string;
  readonly image: string;
  readonly deepLink: string;
  readonly buttons: readonly ButtonDraft[];
}

export interface OptionsDraft {
  readonly badgeCount?: number | undefined;
  readonly ttlSeconds?: number | undefined;
  readonly sound: string;
  readonly collapseKey: string;
  readonly androidChannelId: string;
  readonly priority: '' | 'normal' | 'high';
  readonly unsubscribe: '' | 'none' | 'footer' | 'header' | 'both';
  /** Whether links get the app's campaign parameters. */
  readonly utm: '' | 'on' | 'off';
}

export interface MessageDraft {
  readonly name: string;
  readonly base: TextDraft;
  readonly languages: readonly (TextDraft & { readonly tag: string })[];
  readonly options: OptionsDraft;
  readonly data: readonly (readonly [key: string, value: string])[];
  readonly payload: Readonly<Record<string, unknown>>;
  /** Of a mail that is made of blocks. */
  readonly design?: Readonly<Record<string, unknown>> | undefined;
  /** Empty or absent: nobody has said. */
  readonly writtenFor?: readonly Channel[] | undefined;
}

export const emptyText: TextDraft = { title: '', body: '', image: '', deepLink: '', buttons: [] };

export const emptyDraft: MessageDraft = {
  name: '',
  base: emptyText,
  languages: [],
  options: {
    sound: '',
    collapseKey: '',
    androidChannelId: '',
    priority: '',
    unsubscribe: '',
    utm: '',
  },
  data: [],
  payload: {},
};

type Texts = Pick<MessageBody, 'title' | 'body' | 'image' | 'deepLink' | 'buttons'>;

export function draftOf(saved: Partial<Message> | MessageBody): MessageDraft {
  const { name = '', localizations = {}, data = {}, payload = {}, design, writtenFor } = saved;
  const { badgeCount, ttlSeconds, sound = '', collapseKey = '', androidChannelId = '' } = saved;
  return {
    name,
    base: textOf(saved),
    languages: Object.entries(localizations).map(([tag, one]) => ({ tag, ...textOf(one) })),
    options: {
      badgeCount,
      ttlSeconds,
      sound,
      collapseKey,
      androidChannelId,
      priority: saved.priority ?? '',
      unsubscribe: saved.unsubscribe ?? '',
      utm: saved.utm === undefined ? '' : saved.utm ? 'on' : 'off',
    },
    data: Object.entries(data).map(([key, value]) => [key, String(value)] as const),
    payload,
    design,
    writtenFor,
  };
}

function textOf({ title = '', body = '', image = '', deepLink = '', buttons = [] }: Texts) {
  return {
    title,
    body,
    image,
    deepLink,
    buttons: buttons.map(({ id = '', label = '', url = '' }) => ({ id, label, url })),
  };
}

/** What is sent: without what is empty. */
export function bodyOf(draft: MessageDraft): MessageBody {
  const { name, base, languages, options, data, payload, design, writtenFor = [] } = draft;
  const { badgeCount, ttlSeconds, utm, ...texts } = options;
  const localizations = Object.fromEntries(
    languages.filter(({ tag }) => tag !== '').map(({ tag, ...one }) => [tag, filled(one)]),
  );
  return {
    ...(name.trim() === '' ? {} : { name: name.trim() }),
    ...filled(base),
    ...(badgeCount === undefined ? {} : { badgeCount }),
    ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
    ...withoutEmpty(texts),
    ...(utm === '' ? {} : { utm: utm === 'on' }),
    ...(data.some(([key]) => key !== '')
      ? { data: Object.fromEntries(data.filter(([key]) => key !== '')) }
      : {}),
    ...(Object.keys(payload).length === 0 ? {} : { payload }),
    ...(design === undefined ? {} : { design }),
    ...(writtenFor.length === 0 ? {} : { writtenFor }),
    ...(Object.keys(localizations).length === 0 ? {} : { localizations }),
  } as MessageBody;
}

function filled({ buttons, ...texts }: TextDraft): Texts {
  const named = buttons.map((button) => withoutEmpty(button) as { label?: string });
  return {
    ...withoutEmpty(texts),
    ...(named.length === 0 ? {} : { buttons: named }),
  };
}

function withoutEmpty(texts: object): object {
  return Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== ''));
}

const members = [
  ...['name', 'title', 'body', 'image', 'deepLink', 'buttons', 'data', 'payload', 'badgeCount'],
  ...['sound', 'ttlSeconds', 'collapseKey', 'androidChannelId', 'priority', 'unsubscribe'],
  ...['utm', 'localizations', 'design', 'writtenFor'],
] as const;

/** The change from what is saved: only members that differ, `null` for those that are gone. */
export function patchOf(draft: MessageDraft, saved: Saved): Readonly<Record<string, unknown>> {
  const now = bodyOf(draft) as Readonly<Record<string, unknown>>;
  const before = bodyOf(draftOf(saved)) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    members
      .filter((member) => JSON.stringify(now[member]) !== JSON.stringify(before[member]))
      .map((member) => [member, now[member] ?? null]),
  );
}

/** Whether any language has a text, right or wrong; that of a design is made of it. */
export function isWritten({ base, languages, design }: MessageDraft): boolean {
  return design !== undefined || [base, ...languages].some(({ body }) => body.trim() !== '');
}

export function isSame(one: MessageDraft, other: MessageDraft): boolean {
  return JSON.stringify(writtenOf(one)) === JSON.stringify(writtenOf(other));
}

/** What a person wrote: the body of a mail of blocks is made of its design. */
function writtenOf(draft: MessageDraft): MessageBody {
  const { body = '', ...rest } = bodyOf(draft);
  return draft.design === undefined ? { ...rest, body } : rest;
}

/** The value at a path of the payload, and the payload with another one there; '' removes it. */
export function payloadAt(payload: MessageDraft['payload'], member: string, key: string): unknown {
  const inside = payload[member];
  return typeof inside === 'object' && inside !== null
    ? (inside as Readonly<Record<string, unknown>>)[key]
    : undefined;
}

export function payloadWith(
  payload: MessageDraft['payload'],
  member: string,
  key: string,
  value: unknown,
): MessageDraft['payload'] {
  const inside = payload[member];
  const own = { ...(typeof inside === 'object' && inside !== null ? inside : {}), [key]: value };
  const left = Object.fromEntries(Object.entries(own).filter(([, one]) => !isNothing(one)));
  const { [member]: _old, ...rest } = payload;
  return Object.keys(left).length === 0 ? rest : { ...rest, [member]: left };
}

function isNothing(value: unknown): boolean {
  if (value === undefined || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
