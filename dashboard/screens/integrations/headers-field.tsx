// Headers of one's own for each delivery: up to five names and values.

import { Button, IconButton } from '../../ui/button.tsx';
import { TextInput } from '../../ui/input.tsx';
import { words } from './words.ts';

const text = words.webhook;
const headersMax = 5;

export interface Header {
  readonly name: string;
  readonly value: string;
}

export function HeadersField({
  headers,
  onChange,
  hint,
  error,
}: {
  readonly headers: readonly Header[];
  readonly onChange: (headers: readonly Header[]) => void;
  readonly hint: string;
  readonly error: string | undefined;
}) {
  const set = (at: number, change: Partial<Header>) =>
    onChange(headers.map((one, nth) => (nth === at ? { ...one, ...change } : one)));
  return (
    <fieldset className="stack-tight">
      <legend className="field-label">{text.headers}</legend>
      <p className="field-hint">{hint}</p>
      {headers.map((header, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place
        <div key={at} className="header-row">
          <TextInput
            aria-label={text.headerName}
            placeholder={text.headerName}
            spellCheck={false}
            value={header.name}
            onChange={(name) => set(at, { name })}
          />
          <TextInput
            aria-label={text.headerValue}
            placeholder={text.headerValue}
            type="password"
            autoComplete="new-password"
            value={header.value}
            onChange={(value) => set(at, { value })}
          />
          <IconButton
            label={text.removeHeader}
            icon="trash"
            onClick={() => onChange(headers.filter((_one, nth) => nth !== at))}
          />
        </div>
      ))}
      {error !== undefined && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
      {headers.length < headersMax && (
        <div className="row">
          <Button
            size="small"
            icon="plus"
            onClick={() => onChange([...headers, { name: '', value: '' }])}
          >
            {text.addHeader}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

export function headersOf(headers: readonly Header[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    headers.flatMap(({ name, value }) => (name.trim() === '' ? [] : [[name.trim(), value]])),
  );
}
