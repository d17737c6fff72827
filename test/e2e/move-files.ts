// Exports of the six services, of any length: who is in them, who opted out, who left a topic, and
// lines that are wrong.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Service } from '../../cli/import/origin.ts';

/** What the line of a person says. */
export interface Mover {
  readonly nth: number;
  readonly email: string;
  readonly state: 'in' | 'left' | 'bounced' | 'wrong';
  readonly topic: 'in' | 'out';
}

export interface Export {
  readonly service: Service['id'];
  /** Writes its files; returns their paths. */
  write(directory: string, movers: readonly Mover[]): readonly string[];
  /** The topic's key here; absent if the export has none. */
  readonly topic?: string;
}

export function moverAt(nth: number): Mover {
  const states = ['in', 'in', 'left', 'in', 'bounced'] as const;
  const isWrong = nth % 1_000 === 999;
  return {
    nth,
    email: `p${nth}@example.com`,
    state: isWrong ? 'wrong' : (states[nth % states.length] ?? 'in'),
    topic: nth % 3 === 0 ? 'out' : 'in',
  };
}

const json = (value: unknown) => JSON.stringify(value);
const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** One file, a line for each mover. */
function oneFile(name: string, header: string | undefined, line: (mover: Mover) => string) {
  return (directory: string, movers: readonly Mover[]): readonly string[] => {
    const path = join(directory, name);
    const lines = movers.map(line);
    writeFileSync(path, `${[...(header === undefined ? [] : [header]), ...lines].join('\n')}\n`);
    return [path];
  };
}

const listmonkStatus = { in: 'enabled', left: 'disabled', bounced: 'blocklisted', wrong: 'gone' };
const consent = { in: 'SUBSCRIBED', left: 'UNSUBSCRIBED', bounced: 'SUBSCRIBED', wrong: 'MAYBE' };
const brazeState = { in: 'opted_in', left: 'unsubscribed', bounced: 'subscribed', wrong: 'gone' };
const types = { in: '1', left: '-2', bounced: '1', wrong: 'no' };

export const exports: readonly Export[] = [
  {
    service: 'listmonk',
    topic: 'news',
    write: oneFile('subscribers.jsonl', undefined, ({ nth, email, state, topic }) =>
      json({
        email,
        status: listmonkStatus[state],
        attribs: { nth },
        lists: [
          { name: 'News', subscription_status: topic === 'in' ? 'confirmed' : 'unsubscribed' },
        ],
      }),
    ),
  },
  {
    service: 'onesignal',
    write: oneFile(
      'users.csv',
      'identifier,device_type,notification_types,invalid_identifier,external_user_id,tags',
      ({ nth, email, state }) => {
        const invalid = state === 'bounced' ? 't' : '';
        return `${email},11,${types[state]},${invalid},u${nth},${cell(json({ nth }))}`;
      },
    ),
  },
  {
    service: 'braze',
    topic: 'news',
    write: oneFile('users.jsonl', undefined, ({ nth, email, state, topic }) =>
      json({
        external_id: `u${nth}`,
        email,
        email_subscribe: brazeState[state],
        ...(state === 'bounced' ? { email_hard_bounced_at: '2025-02-03' } : {}),
        custom_attributes: { nth },
        subscription_groups: [
          {
            id: 'g1',
            name: 'News',
            channel: 'email',
            status: topic === 'in' ? 'Subscribed' : 'Unsubscribed',
          },
        ],
      }),
    ),
  },
  {
    service: 'customerio',
    topic: 'topic_1',
    write: oneFile(
      'people.csv',
      'id,email,unsubscribed,cio_subscription_preferences,nth',
      ({ nth, email, state, topic }) => {
        const out = { in: 'false', left: 'true', bounced: 'true', wrong: 'perhaps' }[state];
        return `u${nth},${email},${out},${cell(json({ topics: { topic_1: topic === 'in' } }))},${nth}`;
      },
    ),
  },
  {
    service: 'klaviyo',
    write: oneFile(
      'profiles.csv',
      'Email,External ID,Email Marketing Consent,Email Suppressions,nth',
      ({ nth, email, state }) => {
        const suppressed = state === 'bounced' ? cell('["HARD_BOUNCE"]') : '';
        return `${email},u${nth},${consent[state]},${suppressed},${nth}`;
      },
    ),
  },
  {
    service: 'mailchimp',
    write: (directory, movers) =>
      (['subscribed', 'unsubscribed', 'cleaned'] as const).flatMap((status) => {
        const isHere = ({ state }: Mover) =>
          status === 'unsubscribed'
            ? state === 'left'
            : status === 'cleaned'
              ? state === 'bounced'
              : state === 'in' || state === 'wrong';
        const line = ({ nth, email, state }: Mover) => `${state === 'wrong' ? '' : email},${nth}`;
        const name = `${status}_email_audience_export_1.csv`;
        return oneFile(name, 'Email Address,nth', line)(directory, movers.filter(isHere));
      }),
  },
];
