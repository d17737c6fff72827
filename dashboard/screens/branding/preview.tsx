// The unsubscribe page and an email's footer as they will look, in light and in dark.

import { useState } from 'react';
import type { Branding } from '../../api/generated.ts';
import { PageLook } from '../../preview/page-look.tsx';
import { words as looks } from '../../preview/words.ts';
import { Segmented } from '../../ui/choices.tsx';
import { classNames } from '../../ui/class-names.ts';
import { words } from './words.ts';

const text = words.look;
const schemes = [
  { value: 'light', label: text.light },
  { value: 'dark', label: text.dark },
] as const;

export function Preview({ branding }: { readonly branding: Branding }) {
  const [scheme, setScheme] = useState<'light' | 'dark'>('light');
  return (
    <section className="stack-tight branding-preview" aria-label={words.preview}>
      <div className="row-between">
        <h2>{words.preview}</h2>
        <Segmented label={text.scheme} choices={schemes} value={scheme} onChange={setScheme} />
      </div>
      <PageLook branding={branding} scheme={scheme} caption={text.page}>
        <p className="page-look-title">{text.confirm(text.app)}</p>
        <p className="page-look-soft">
          <b>{text.address}</b>
          {text.confirmText(text.app)}
        </p>
        <span className="page-look-button">{text.unsubscribe}</span>
      </PageLook>
      <figure className={classNames('page-look', scheme)}>
        <figcaption>{text.footer}</figcaption>
        <p className="page-look-footer">
          <u>{text.unsubscribe}</u>
          <br />
          {!branding.hideServiceBranding && looks.sentWith}
        </p>
      </figure>
    </section>
  );
}
