// The members' subject: what they say of themselves, by NATS without JetStream. Nothing waits for
// it, and nothing of it is kept.

import type { Subscription } from '@nats-io/transport-node';
import type { Beat } from '../../engine/cluster/beat.ts';
import { decodeBeat, encodeBeat } from '../../engine/cluster/beat-bytes.ts';
import type { Beats } from '../../engine/cluster/beats.ts';
import type { JetStream } from './connection.ts';

interface BeatsOptions {
  readonly jetStream: Pick<JetStream, 'connection'>;
  readonly cluster: string;
}

/** Resolves once the servers know that this member listens. */
export async function openBeats({
  jetStream: { connection },
  cluster,
}: BeatsOptions): Promise<Beats> {
  const subject = `engage.${cluster}.members`;
  const listeners: ((beat: Beat) => void)[] = [];
  const subscription: Subscription = connection.subscribe(subject, {
    callback: (error, message) => {
      const beat = error === null ? decodeBeat(message.data) : undefined;
      if (beat !== undefined) for (const hear of listeners) hear(beat);
    },
  });
  await connection.flush();
  return {
    say(beat) {
      // A connection that is being closed takes nothing; a beat may get lost.
      if (!connection.isClosed() && !connection.isDraining())
        connection.publish(subject, encodeBeat(beat));
    },
    onHear: (callback) => void listeners.push(callback),
    close: async () => subscription.unsubscribe(),
  };
}
