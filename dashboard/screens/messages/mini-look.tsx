// A message in the size of a row: its picture, or the outline of a mail or a notice.

import { useState } from 'react';
import type { Message, MessageTemplate } from '../../api/generated.ts';
import { Icon } from '../../ui/icon.tsx';
import { isHtml } from '../../ui/written-for.ts';

export function MiniLook({ message }: { readonly message: Message | MessageTemplate }) {
  const { image, body = '', buttons = [] } = message;
  const isMail = isHtml(body);
  const [isBroken, setBroken] = useState(false);
  if (!isBroken && image !== undefined && /^https?:\/\/[^{]+$/.test(image))
    return (
      <span className="mini-look">
        <img src={image} alt="" loading="lazy" onError={() => setBroken(true)} />
      </span>
    );
  return (
    <span className={isMail ? 'mini-look with-mail' : 'mini-look'} aria-hidden="true">
      <Icon name={isMail ? 'inbox' : buttons.length > 0 ? 'phone' : 'messages'} />
    </span>
  );
}

/** The words of a body, without markup, for one line. */
export function plainText(body = ''): string {
  if (!isHtml(body)) return body;
  return body
    .replace(/<(style|head|script)[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&nbsp;/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
