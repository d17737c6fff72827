// The page of the preference centre: plain HTML with one form, and what the form says back.

import { type ChannelId, channelLabels } from '../../actors/channels/channel-ids.ts';
import { limits } from '../../actors/limits.ts';
import type { PageChange, PreferencesPage } from '../../actors/sending/opt-in/protocol.ts';
import type { Branding } from '../../actors/tenants/accounts/records.ts';
import { type HostedWords, languageChoices } from './hosted-words.ts';
import { cardPage, escapedText } from './unsubscribe-page.ts';

type Open = Extract<PreferencesPage, { state: 'open' }>;

export function preferencesHtml(
  page: Open,
  appName: string,
  words: HostedWords,
  isSaved: boolean,
  branding?: Branding,
): string {
  const say = (name: Parameters<HostedWords['say']>[0]) =>
    escapedText(words.say(name)).replace(/\{app\}/g, () => escapedText(appName));
  const notes = [isSaved ? say('saved') : '', page.isOut ? say('out') : ''].filter(Boolean);
  const parts = {
    mark: isSaved ? '&#10003;' : '&#9881;',
    title: say('preferences'),
    text: notes.join(' '),
    form: `
<form method="post">${channelsOf(page, say('channels'), words)}${topicsOf(page, say('topics'), say('waits'))}${languagesOf(page, say('language'))}
<button name="do" value="save">${say('save')}</button>
<button name="do" value="nothing" class="also">${say('nothing')}</button>
</form>`,
  };
  return cardPage(parts, words.language, branding);
}

function channelsOf({ channels }: Open, legend: string, words: HostedWords): string {
  if (channels.length === 0) return '';
  const boxes = channels.map(({ channel, isOn, addresses }) =>
    box('channel', channel, isOn, channelName(channel, words), addresses.join(', ')),
  );
  return fieldset(legend, boxes);
}

/** As people call it; names of services are the same everywhere. */
function channelName(channel: ChannelId, { say }: HostedWords): string {
  switch (channel) {
    case 'email':
      return say('emailChannel');
    case 'voice':
      return say('callChannel');
    case 'fcm':
      return `${say('pushChannel')} (Android)`;
    case 'apns':
      return `${say('pushChannel')} (Apple)`;
    case 'webpush':
      return `${say('pushChannel')} (Web)`;
    default:
      return channelLabels[channel];
  }
}

function topicsOf({ topics, isOut }: Open, legend: string, waits: string): string {
  if (topics.length === 0) return '';
  const boxes = topics.map(({ key, name, description = '', choice }) => {
    const isOn = !isOut && choice !== 'out';
    const more =
      choice === 'pending' ? [description, waits].filter(Boolean).join(' ') : description;
    return `${box('topic', key, isOn, name, more)}
<input type="hidden" name="shown" value="${escapedText(key)}">`;
  });
  return fieldset(legend, boxes);
}

function languagesOf({ language }: Open, legend: string): string {
  const known = languageChoices();
  const now = language ?? '';
  const isKnown = known.some(({ tag }) => tag.toLowerCase() === now.toLowerCase());
  const all = isKnown ? known : [{ tag: now, name: now === '' ? '–' : now }, ...known];
  const options = all.map(({ tag, name }) => {
    const isChosen = tag.toLowerCase() === now.toLowerCase();
    return `<option value="${escapedText(tag)}"${isChosen ? ' selected' : ''}>${escapedText(name)}</option>`;
  });
  return `
<label class="field"><span>${legend}</span>
<select name="language">${options.join('')}</select></label>`;
}

function fieldset(legend: string, boxes: readonly string[]): string {
  return `
<fieldset><legend>${legend}</legend>
${boxes.join('\n')}
</fieldset>`;
}

/** `label` and `more` are texts. */
function box(name: string, value: string, isOn: boolean, label: string, more: string): string {
  const small = more === '' ? '' : `<small>${escapedText(more)}</small>`;
  return `<label><input type="checkbox" name="${name}" value="${escapedText(value)}"${isOn ? ' checked' : ''}><span>${escapedText(label)}${small}</span></label>`;
}

/** Bytes of the largest form: every topic twice. */
const preferencesBytesMax = limits.topicsMax * 2 * 100 + 4_096;

export function changeOf(bytes: Uint8Array): PageChange {
  const text = Buffer.from(bytes.subarray(0, preferencesBytesMax)).toString('utf8');
  const form = new URLSearchParams(text);
  const language = form.get('language') ?? '';
  return {
    isNothing: form.get('do') === 'nothing',
    shown: form.getAll('shown'),
    on: form.getAll('topic'),
    channels: form.getAll('channel'),
    ...(language === '' ? {} : { language }),
  };
}
