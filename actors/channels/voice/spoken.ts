// What a gateway's voice says on the phone: the title, then the text, as plain words, in the
// message's language. The carrier gets the same as its own markup (`message.ts`).

import { failure } from '../port/answers.ts';
import type { Attempt } from '../port/attempt.ts';
import type { Failure } from '../port/outcome.ts';
import { readVoiceOptions } from './options.ts';

const spokenUnitsMax = 4000;

interface Spoken {
  readonly text: string;
  /** As the message or the person has it: `vi`, `pt-BR`. */
  readonly language?: string;
  /** The gateway's name of a voice, if the message says one. */
  readonly voice?: string;
}

export function spokenText({ content, language: ofPerson }: Attempt): Spoken | Failure {
  const { title, body } = content;
  const options = optionsOf(content.payload?.['voice']);
  if ('outcome' in options) return options;
  const parts = [title ?? '', body].map(plain).filter((part) => part !== '');
  const text = parts.map((part, at) => (at < parts.length - 1 ? ended(part) : part)).join(' ');
  if (text.length > spokenUnitsMax) {
    const words = `${text.length} characters, ${spokenUnitsMax} are allowed`;
    return failure('permanent', 'text_too_long', words);
  }
  const written = content.language === undefined ? ofPerson : (content.language ?? undefined);
  const language = options.language ?? written;
  return {
    text,
    ...(language === undefined ? {} : { language }),
    ...(options.voice === undefined ? {} : { voice: options.voice }),
  };
}

function optionsOf(
  value: unknown,
): { readonly language?: string; readonly voice?: string } | Failure {
  const options = value === undefined ? {} : readVoiceOptions(value);
  if (!('problem' in options)) return options;
  const member = options.at === '' ? 'payload.voice' : `payload.voice.${options.at}`;
  return failure('permanent', 'voice_invalid', `${member}: ${options.problem}`);
}

/** One line, without signs that nobody says. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\u2028\u2029\ufffe\uffff]+/gu, ' ').trim();
}

/** A voice pauses at the end of a sentence. */
function ended(text: string): string {
  return /[.!?:;…。！？]$/u.test(text) ? text : `${text}.`;
}
