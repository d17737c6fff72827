// What mailbox providers ask of an email, and whether this one has it: each check by itself.

import type { Campaign } from '../../../api/generated.ts';
import { useRead } from '../../../api/queries.ts';
import { useApp } from '../../../api/session-context.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { ErrorNote, Grey } from '../../../ui/note.tsx';
import { ScrollX } from '../../../ui/scroll-x.tsx';
import type { Tone } from '../../../words/tone.ts';

const text = {
  title: 'Checks of the email',
  intro: 'What mailbox providers ask of an email. None of these prevents the send.',
  again: 'Check again',
  check: 'Check',
  state: 'Result',
  about: 'Details',
  names: {
    sender: 'Sender domain',
    dkim: 'DKIM',
    spf: 'SPF',
    dmarc: 'DMARC',
    alignment: 'Alignment',
    link_name: 'Name of links',
    one_click: 'One-click unsubscribe',
    size: 'Size',
    https_links: 'Links',
    image_text: 'Images',
    text_part: 'Text part',
  },
  states: { done: 'Done', not_done: 'Not done', unknown: 'Unknown' },
} as const;

const tones = { done: 'good', not_done: 'notice', unknown: 'off' } as const satisfies Record<
  string,
  Tone
>;

export function MailChecks({ campaign: { id } }: { readonly campaign: Campaign }) {
  const app = useApp();
  const read = useRead('previewCampaign', {
    path: { appId: app.id, id },
    body: { channel: 'email', checks: true },
  });
  const { data, error, isFetching } = read;
  const checks = data?.checks ?? [];
  if (error === undefined && data !== undefined && checks.length === 0) return null;
  return (
    <section className="card" aria-labelledby="mail-checks">
      <div className="card-head">
        <h3 id="mail-checks">{text.title}</h3>
        <Button size="small" icon="refresh" isBusy={isFetching} onClick={() => void read.refetch()}>
          {text.again}
        </Button>
      </div>
      <p className="card-body soft">{text.intro}</p>
      {error !== undefined && <ErrorNote error={error} onAgain={() => void read.refetch()} />}
      {data === undefined && error === undefined && (
        <div className="card-body">
          <Grey rows={10} />
        </div>
      )}
      {checks.length > 0 && (
        <ScrollX>
          <table className="plain-table">
            <thead>
              <tr>
                <th>{text.check}</th>
                <th>{text.state}</th>
                <th>{text.about}</th>
              </tr>
            </thead>
            <tbody>
              {checks.map(({ check, state, about }) => (
                <tr key={check}>
                  <td>{text.names[check]}</td>
                  <td>
                    <Badge tone={tones[state]}>{text.states[state]}</Badge>
                  </td>
                  <td className="soft">{about}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollX>
      )}
    </section>
  );
}
