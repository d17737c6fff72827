// What a row of opt-outs says on a phone, and what its question says: all that is known of it.

import type { Suppression } from '../../api/generated.ts';
import { Facts } from '../../ui/figure.tsx';
import { Time } from '../../ui/time.tsx';
import { channelNames } from '../../words/channels.ts';
import { optOutBy, optOutNote } from '../../words/opt-outs.ts';
import { words } from './words.ts';

export function channelsOf({ channels }: Suppression): string {
  return channels.map((name) => channelNames[name]).join(', ');
}

/** The line of a phone: what it ends comes first, as the rest may be cut. */
export function InShort({ of }: { readonly of: Suppression }) {
  return (
    <>
      {words.scopes[of.scope]}
      {words.between}
      <Time at={of.createdAt} />
      {words.between}
      {channelsOf(of)}
    </>
  );
}

/** What whoever allows an address again should know; a phone shows it nowhere else. */
export function OptOutFacts({ of }: { readonly of: Suppression }) {
  const note = optOutNote(of);
  return (
    <Facts
      items={[
        [words.scope, words.scopes[of.scope]],
        [words.channels, channelsOf(of)],
        [words.source, optOutBy(of)],
        ...(note === '' ? [] : [[words.reason, note] as const]),
        [words.since, <Time key="since" at={of.createdAt} />],
      ]}
    />
  );
}
