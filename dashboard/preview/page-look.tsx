// The card of a page that end users see, in the org's colors, in light or dark.

import { type ReactNode, useRef, useState } from 'react';
import type { Branding } from '../api/generated.ts';
import { classNames } from '../ui/class-names.ts';
import { words as common } from '../words/en.ts';
import { useLookColors } from './look-colors.ts';
import { words } from './words.ts';

type Brand = Pick<Branding, 'productName' | 'logoUrl' | 'accentColor' | 'hideServiceBranding'>;

interface PageLookProps {
  readonly branding: Brand;
  readonly scheme: 'light' | 'dark';
  readonly caption: string;
}

export function PageLook({
  branding,
  scheme,
  caption,
  children,
}: PageLookProps & { readonly children: ReactNode }) {
  const { accentColor, hideServiceBranding } = branding;
  const figure = useRef<HTMLElement>(null);
  const isLined = useLookColors(figure, accentColor);
  return (
    <figure ref={figure} className={classNames('page-look', scheme, isLined && 'lined')}>
      <figcaption>{caption}</figcaption>
      <div className="page-look-card">
        <Logo key={branding.logoUrl} branding={branding} />
        <span className="page-look-mark">
          {/* Drawn: not every machine has a font with the page's sign. */}
          <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
            <path d="M3.5 6h17v12h-17zM3.5 7l8.5 6.500L20.5 7" />
          </svg>
        </span>
        {children}
      </div>
      {!hideServiceBranding && <p className="page-look-by">{words.sentWith}</p>}
    </figure>
  );
}

/** As on the page: the logo, else the name, and nothing for the service itself. */
function Logo({ branding: { logoUrl, productName } }: { readonly branding: Brand }) {
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
