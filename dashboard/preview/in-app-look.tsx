// An in-app message as the SDK shows it on a page, and as a row of an inbox.

import { useRef } from 'react';
import type { InAppDisplay } from '../api/generated.ts';
import { useRead } from '../api/queries.ts';
import { classNames } from '../ui/class-names.ts';
import { useLookColors } from './look-colors.ts';
import type { PreviewItem } from './look-of.ts';

type Content = NonNullable<PreviewItem['content']>;

export function InAppLook({
  content,
  show,
  display,
  scheme,
  byApp,
}: {
  readonly content: Content;
  readonly show: 'popup' | 'inbox' | 'both';
  readonly display: InAppDisplay | null;
  readonly scheme: 'light' | 'dark';
  /** What stands there if the SDK does not show it. */
  readonly byApp: string;
}) {
  const place = useRef<HTMLDivElement>(null);
  useLookColors(place, useRead('readBranding', {}).data?.accentColor ?? sdkAccent);
  const { kind = 'modal', position = 'bottom', dismissible = true } = display ?? {};
  return (
    <div ref={place} className={classNames('inapp-look', scheme)}>
      {show !== 'inbox' &&
        (kind === 'none' ? (
          <p className="page-look-soft">{byApp}</p>
        ) : (
          <div
            className={classNames(
              'inapp-page',
              `inapp-kind-${kind}`,
              kind !== 'modal' && `inapp-at-${position}`,
            )}
          >
            <Lines />
            <Box content={content} isBanner={kind === 'banner'} isDismissible={dismissible} />
          </div>
        ))}
      {show !== 'popup' && <Row content={content} />}
    </div>
  );
}

/** The SDK's, without an accent of the org. */
const sdkAccent = '#2f5fe0';

/** The site below it. */
function Lines() {
  return (
    <div className="inapp-site" aria-hidden="true">
      <i />
      <i />
      <i />
      <i />
    </div>
  );
}

function Box({
  content: { title, body = '', image, buttons = [] },
  isBanner,
  isDismissible,
}: {
  readonly content: Content;
  readonly isBanner: boolean;
  readonly isDismissible: boolean;
}) {
  const text = plain(body);
  return (
    <article className="inapp-card">
      {!isBanner && image !== undefined && /^https?:/.test(image) && <img src={image} alt="" />}
      <div className="inapp-texts">
        <strong>{title ?? text}</strong>
        {title !== undefined && <p>{text}</p>}
      </div>
      {buttons.length > 0 && (
        <div className="inapp-buttons">
          {buttons.map(({ label }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: its place is its name
            <span key={at}>{label}</span>
          ))}
        </div>
      )}
      {isDismissible && (
        <span className="inapp-close" aria-hidden="true">
          ×
        </span>
      )}
    </article>
  );
}

function Row({ content: { title, body = '' } }: { readonly content: Content }) {
  return (
    <article className="inapp-row">
      <i />
      <div>
        {title !== undefined && <strong>{title}</strong>}
        <p className="ellipsis">{plain(body)}</p>
      </div>
    </article>
  );
}

function plain(body: string): string {
  return body
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
