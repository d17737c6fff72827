// The form of `payload.voice`: the language of a call, and the carrier's voice. Pure. Checked on
// acceptance, when strings may contain Liquid, and again, rendered, when calling.

import { isObject, type MembersIn } from '../../is-object.ts';

interface VoiceOptions {
  readonly language?: string;
  readonly voice?: string;
}

/** `at` is a path within `payload.voice`; empty for the whole value. */
interface VoiceProblem {
  readonly at: string;
  readonly problem: string;
}

/** Also what the edge knows; the first one tells such an object from others. */
export const voiceMembers = { voice: null, language: null } as const;

/** What the message says about its voice, or the first problem. Other members are ignored. */
export function readVoiceOptions(value: unknown): VoiceOptions | VoiceProblem {
  if (!isObject(value)) return { at: '', problem: 'expected an object with language or voice' };
  const { language, voice }: MembersIn<typeof voiceMembers> = value;
  if (language !== undefined && !isText(language, /^[A-Za-z]{2,3}([_-][A-Za-z0-9]{2,8})*$/))
    return { at: 'language', problem: 'expected a language tag, such as vi-VN' };
  if (voice !== undefined && !isText(voice, /^[A-Za-z][A-Za-z0-9.-]{1,63}$/))
    return { at: 'voice', problem: "expected a voice of the carrier's, such as Polly.Joanna" };
  return {
    ...(language !== undefined && { language: language.trim() }),
    ...(voice !== undefined && { voice: voice.trim() }),
  };
}

function isText(value: unknown, form: RegExp): value is string {
  if (typeof value !== 'string') return false;
  return value.includes('{{') || value.includes('{%') || form.test(value.trim());
}
