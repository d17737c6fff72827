// The views of a message: as its recipient sees it, what else it carries, the raw exchange.

import { Look } from '../preview/look.tsx';
import { bytes, Facts } from '../ui/figure.tsx';
import { Note } from '../ui/note.tsx';
import { CodeBlock } from '../ui/secret.tsx';
import type { WholeMessage } from './control.ts';
import { indented } from './row-words.ts';
import { words } from './words.ts';

const text = words.reader;

interface MessageProps {
  readonly message: WholeMessage;
}

export function Seen({ message }: MessageProps) {
  const { outcome, status, note, link, files, ...rest } = message;
  const { details: _details, exchange: _exchange, ...seen } = rest;
  return (
    <div className="inbox-seen" data-outcome={outcome}>
      {outcome === 'refused' && <Note tone="bad">{text.refused(status)}</Note>}
      {outcome === 'unanswered' && <Note tone="notice">{text.unanswered}</Note>}
      <Look message={{ ...seen, ...(note === undefined ? {} : { note }) }} hasLinks />
      {files !== undefined && (
        <ul className="inbox-files" aria-label={text.files}>
          {files.map((file) => (
            <li key={file.path}>
              <a href={file.path} download={file.name}>
                {file.name}
              </a>{' '}
              <span className="soft">{bytes(file.bytes)}</span>
            </li>
          ))}
        </ul>
      )}
      {note !== undefined && <p className="inbox-tap soft">{note}</p>}
      {link !== undefined && (
        <p className="inbox-tap soft">
          {text.opens}
          <code>{link}</code>
        </p>
      )}
    </div>
  );
}

/** A header that comes twice has a line for each. */
export function Details({ message: { details, sendId, deviceId, to } }: MessageProps) {
  const values = new Map<string, string>();
  const all = [[text.recipient, to], [text.send, sendId], [text.device, deviceId], ...details];
  for (const [name = '', value] of all)
    if (value !== undefined) values.set(name, [values.get(name) ?? [], value].flat().join('\n'));
  return <Facts items={[...values]} />;
}

export function Exchange({ exchange }: { readonly exchange: WholeMessage['exchange'] }) {
  const { request, requestHeaders, requestBody, requestBodyEncoding, requestBodyBytes } = exchange;
  const { answer } = exchange;
  const answered =
    answer === null ? text.noResponse : linesOf(answer.status, Object.entries(answer.headers));
  return (
    <>
      <CodeBlock label={text.request} text={linesOf(request, requestHeaders)} />
      {requestBody !== '' && (
        <CodeBlock
          label={text.requestBody(requestBodyBytes, requestBodyEncoding === 'base64')}
          text={indented(requestBody)}
        />
      )}
      <CodeBlock label={text.response} text={answered} />
      {answer !== null && answer.body !== '' && (
        <CodeBlock label={text.responseBody} text={indented(answer.body)} />
      )}
    </>
  );
}

function linesOf(first: string | number, headers: readonly (readonly [string, string])[]): string {
  return [first, ...headers.map(([name, value]) => `${name}: ${value}`)].join('\n');
}
