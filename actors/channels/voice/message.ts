// A call: the title, a pause, then the text, in the voice of their language; nothing else is used.
// Pure. The spoken text is XML inside a form, so markup in a person's name must be escaped.

import type { CarrierForm } from '../carrier/form.ts';
import { failure } from '../port/answers.ts';
import type { Attempt } from '../port/attempt.ts';
import type { Failure } from '../port/outcome.ts';
import { type CarrierVoice, carrierVoice } from './languages.ts';
import { readVoiceOptions } from './options.ts';

const twimlUnitsMax = 4000;

/** The form without sender and callback, or why there is none. */
export function voiceMessage(
  attempt: Attempt,
  to: string,
): { readonly form: CarrierForm } | Failure {
  const { title, body } = attempt.content;
  const voice = voiceOf(attempt);
  if ('outcome' in voice) return voice;
  const said = [title ?? '', body].map(spoken).filter((text) => text !== '');
  const verbs = said
    .map((text) => `<Say${attributesOf(voice)}>${text}</Say>`)
    .join('<Pause length="1"/>');
  const twiml = `<?xml version="1.0" encoding="UTF-8"?><Response>${verbs}</Response>`;
  if (twiml.length > twimlUnitsMax) {
    return failure(
      'permanent',
      'text_too_long',
      `${twiml.length} characters as TwiML, ${twimlUnitsMax} are allowed`,
    );
  }
  return {
    form: [
      ['To', to],
      ['Twiml', twiml],
    ],
  };
}

/**
 * The message's own `payload.voice`, else the language that the text is in: its localization's, or
 * the person's if it has none. The carrier's default voice for a text that is in neither.
 */
function voiceOf({ content, language }: Attempt): Partial<CarrierVoice> | Failure {
  const value = content.payload?.['voice'];
  const options = value === undefined ? {} : readVoiceOptions(value);
  if ('problem' in options) {
    const member = options.at === '' ? 'payload.voice' : `payload.voice.${options.at}`;
    return failure('permanent', 'voice_invalid', `${member}: ${options.problem}`);
  }
  const { language: named, voice } = options;
  if (named !== undefined) {
    const known = carrierVoice(named);
    // A language that we do not know may be one that the carrier added.
    return voice === undefined
      ? (known ?? { language: named })
      : { language: known?.language ?? named, voice };
  }
  const spoken = content.language === undefined ? language : (content.language ?? undefined);
  const known = carrierVoice(spoken);
  if (voice === undefined) return known ?? {};
  return known === undefined ? { voice } : { language: known.language, voice };
}

function attributesOf({ language, voice }: Partial<CarrierVoice>): string {
  return (
    (language === undefined ? '' : ` language="${language}"`) +
    (voice === undefined ? '' : ` voice="${voice}"`)
  );
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** XML text: one line, only characters that XML allows. */
function spoken(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cs}\u2028\u2029\ufffe\uffff]+/gu, ' ')
    .trim()
    .replace(/[&<>"']/g, (sign) => entities[sign] ?? '');
}
