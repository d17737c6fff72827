// What the person wants and where they are reached: preferences and addresses. It loads when the
// page asks for either.

import type { Answer } from './api.ts';
import { EngageError } from './problem.ts';
import type { Session } from './session.ts';
import { currentOf } from './state.ts';

type TopicChoice = 'in' | 'out' | 'pending';

interface Preferences {
  /** Marketing messages use only these; null for no preference. */
  readonly channels: readonly string[] | null;
  /** By the key of the topic. `pending`: wanted, and not confirmed yet. */
  readonly topics: Readonly<Record<string, TopicChoice>>;
  readonly language: string | null;
  readonly timezone: string | null;
  /** Channels on which every address of the person has opted out. */
  readonly suppressed: readonly string[];
}

/** What is left out stays; null removes it. */
export interface PreferenceChange {
  readonly channels?: readonly string[] | null;
  readonly topics?: Readonly<Record<string, 'in' | 'out' | null>>;
  readonly language?: string | null;
  readonly timezone?: string | null;
}

export interface SignUp {
  /** Keys of topics that the address is signed up for. */
  readonly topics?: readonly string[];
  /** Of the mail that asks for the confirmation. */
  readonly language?: string;
}

export interface AddedAddress {
  /** `asked`: nothing is sent to the address before its owner has confirmed it by a mail. */
  readonly confirmation: 'asked' | 'none';
}

export class Profile {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  async preferences(): Promise<Preferences> {
    const { appId, state } = this.#session;
    const { token } = currentOf(state);
    const path = `/v1/sdk/preferences?appId=${encodeURIComponent(appId)}`;
    return bodyOf(await this.#session.call('GET', path, { token })) as Preferences;
  }

  /** Resolves to the preferences as they are now. */
  async setPreferences(change: PreferenceChange): Promise<Preferences> {
    return bodyOf(await this.#call('PUT', 'preferences', change)) as Preferences;
  }

  async addEmail(endpoint: string, { topics, language }: SignUp = {}): Promise<AddedAddress> {
    const channel = 'email';
    const answer = await this.#call('POST', 'subscribe', { channel, endpoint, topics, language });
    return bodyOf(answer) as AddedAddress;
  }

  async addPhone(endpoint: string): Promise<AddedAddress> {
    bodyOf(await this.#call('POST', 'register', { channel: 'sms', endpoint }));
    return { confirmation: 'none' };
  }

  async removeAddress(channel: string, endpoint: string): Promise<void> {
    bodyOf(await this.#call('POST', 'unregister', { channel, endpoint }));
  }

  #call(method: string, what: string, more: object): Promise<Answer> {
    const { appId, state } = this.#session;
    const { token: clientToken } = currentOf(state);
    const body = { ...more, appId, clientToken };
    return this.#session.call(method, `/v1/sdk/${what}`, { body });
  }
}

function bodyOf({ problem, body }: Answer): unknown {
  if (problem) throw new EngageError(problem);
  return body;
}
