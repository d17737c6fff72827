// An in-app message as an app may show it: a card above the page, or a row of an inbox. Apps draw
// these themselves; this shows what there is to draw.

import type { PreviewItem } from './look-of.ts';

type Content = NonNullable<PreviewItem['content']>;

export function InAppLook({
  content,
  show,
}: {
  readonly content: Content;
  readonly show: 'popup' | 'inbox' | 'both';
}) {
  const { title, body = '', image, buttons = [] } = content;
  const text = plain(body);
  return (
    <div className="inapp-look">
      {show !== 'inbox' && (
        <article className="inapp-card">
          {image !== undefined && /^https?:/.test(image) && <img src={image} alt="" />}
          {title !== undefined && <strong>{title}</strong>}
          <p>{text}</p>
          <div className="inapp-buttons">
            {buttons.map(({ label }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: its place is its name
              <span key={at}>{label}</span>
            ))}
          </div>
        </article>
      )}
      {show !== 'popup' && (
        <article className="inapp-row">
          <i />
          <div>
            {title !== undefined && <strong>{title}</strong>}
            <p className="ellipsis">{text}</p>
          </div>
        </article>
      )}
    </div>
  );
}

function plain(body: string): string {
  return body
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
