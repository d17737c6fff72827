// The unsubscribe page and an email's footer as they will look, in light and in dark.

import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { Branding } from '../../api/generated.ts';
import { Segmented } from '../../ui/choices.tsx';
import { classNames } from '../../ui/class-names.ts';
import { words as common } from '../../words/en.ts';
import { judge } from './contrast.ts';
import { words } from './words.ts';

const text = words.look;
const schemes = [
  { value: 'light', label: text.light },
  { value: 'dark', label: text.dark },
] as const;

export function Preview({ branding }: { readonly branding: Branding }) {
  const [scheme, setScheme] = useState<'light' | 'dark'>('light');
  const { accentColor, hideServiceBranding } = branding;
  const judged = judge(accentColor ?? '');
  const section = useRef<HTMLElement>(null);
  useColors(section, judged === undefined ? [] : [accentColor ?? '', judged.on]);
  return (
    <section ref={section} className="stack-tight branding-preview" aria-label={words.preview}>
      <div className="row-between">
        <h2>{words.preview}</h2>
        <Segmented label={text.scheme} choices={schemes} value={scheme} onChange={setScheme} />
      </div>
      <figure className={classNames('branding-look', scheme)}>
        <figcaption>{text.page}</figcaption>
        <div className="page-look-card">
          <Logo key={branding.logoUrl} branding={branding} />
          <p className="page-look-title">{text.confirm(text.app)}</p>
          <p className="page-look-soft">
            <b>{text.address}</b>
            {text.confirmText(text.app)}
          </p>
          <span className={classNames('page-look-button', judged !== undefined && 'lined')}>
            {text.unsubscribe}
          </span>
        </div>
        {!hideServiceBranding && <p className="page-look-by">{text.sentWith}</p>}
      </figure>
      <figure className={classNames('branding-look', scheme)}>
        <figcaption>{text.footer}</figcaption>
        <p className="page-look-footer">
          <u>{text.unsubscribe}</u>
          <br />
          {!hideServiceBranding && text.sentWith}
        </p>
      </figure>
    </section>
  );
}

/** The color of buttons and of text on them; none for the defaults. */
function useColors(section: RefObject<HTMLElement | null>, colors: readonly string[]): void {
  const [act = '', on = ''] = colors;
  useLayoutEffect(() => {
    section.current?.style.setProperty('--look-act', act);
    section.current?.style.setProperty('--look-on', on);
  }, [section, act, on]);
}

/** As on the page: the logo, else the name, and nothing for the service itself. */
function Logo({ branding: { logoUrl, productName } }: { readonly branding: Branding }) {
  const [isBroken, setBroken] = useState(false);
  if (logoUrl !== null && /^https:\/\/./.test(logoUrl) && !isBroken)
    return (
      <img
        className="page-look-logo"
        src={logoUrl}
        alt={productName}
        referrerPolicy="no-referrer"
        onError={() => setBroken(true)}
      />
    );
  return (
    <>
      {productName !== common.product && <p className="page-look-brand">{productName}</p>}
      {isBroken && <p className="page-look-soft">{words.logoBad}</p>}
    </>
  );
}
