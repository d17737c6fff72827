// Moving in from another service: what to export, the command that imports it, and for the CSV of
// OneSignal the import itself.

import { useApp } from '../../api/session-context.tsx';
import { CodeLine } from '../../ui/code.tsx';
import { Note } from '../../ui/note.tsx';
import { MoveFile } from './move-file.tsx';
import { moveWords as text } from './move-words.ts';
import { commandOf, type ServiceId } from './services.ts';

export function Move({
  service,
  refused,
}: {
  readonly service: ServiceId;
  readonly refused: string | undefined;
}) {
  const app = useApp();
  const command = (more: string) => commandOf(service, app.id, location.origin, more);
  return (
    <>
      <Note tone="accent">{text.first}</Note>
      <section className="stack-tight">
        <h2>{text.exportTitle}</h2>
        <p>{text.exports[service]}</p>
        <p className="soft">{service === 'onesignal' ? text.webPush : text.topicsText}</p>
      </section>
      {service === 'onesignal' && <MoveFile refused={refused} />}
      <section className="stack-tight">
        <h2>{text.commandTitle}</h2>
        <p className="soft">{text.commandText}</p>
        <p>{text.tryIt}</p>
        <CodeLine text={command(' --dry-run')} />
        <p>{text.doIt}</p>
        <CodeLine text={command(' --errors wrong.jsonl')} />
      </section>
    </>
  );
}
