// The channels that a person prefers for marketing.

import type { Channel, Subscriber } from '../../../api/generated.ts';
import { useAct, useRead } from '../../../api/queries.ts';
import { useApp, useRefusal } from '../../../api/session-context.tsx';
import { Check } from '../../../ui/choices.tsx';
import { Note } from '../../../ui/note.tsx';
import { channelName } from '../../../words/channels.ts';
import { words } from './words.ts';

export function Preferences({ person }: { readonly person: Subscriber }) {
  const app = useApp();
  const refused = useRefusal('write');
  const fields = useRead('listFields', { path: { appId: app.id } });
  const update = useAct('updateSubscriber');
  // What was chosen shows before the answer.
  const chosen = new Set<Channel>(
    (update.isPending ? update.variables.body.preferredChannels : person.preferredChannels) ?? [],
  );
  const own = new Set(person.devices.map(({ channel }) => channel));
  const channels = (fields.data?.channels ?? [])
    .map(({ channel }) => channel)
    .filter((channel) => own.has(channel) || chosen.has(channel));
  const toggle = (channel: Channel) => {
    const next = new Set(chosen);
    if (!next.delete(channel)) next.add(channel);
    update.mutate({
      path: { appId: app.id, id: person.id },
      body: { preferredChannels: next.size === 0 ? null : [...next] },
      base: person,
    });
  };
  return (
    <section className="card card-body stack-tight">
      <h2>{words.preferences}</h2>
      <p className="soft">{words.preferencesText}</p>
      {channels.length === 0 && <p>{words.noPreference}</p>}
      <div className="person-channels">
        {channels.map((channel) => (
          <Check
            key={channel}
            isChecked={chosen.has(channel)}
            isDisabled={refused !== undefined}
            onChange={() => toggle(channel)}
          >
            {channelName(channel)}
          </Check>
        ))}
      </div>
      {refused !== undefined && <p className="soft">{refused}</p>}
      {update.error !== undefined && <Note tone="bad">{update.error.message}</Note>}
    </section>
  );
}
