// Replaces a mail's links with tracked ones and appends a pixel. Pure and linear in time. The signed
// address is the decoded one, with `&` for `&amp;`.

import { withHrefs } from '../port/html-hrefs.ts';
import { decodeEntities } from '../port/html-text.ts';
import type { MailMarks } from './mail-marks.ts';
import { pixelTag } from './open-pixel.ts';
import { trackedUrlBytesMax } from './tracked-token.ts';

/** The HTML with the marks' links and pixel. Addresses in `except` stay unchanged. */
export function trackedHtml(
  html: string,
  { clickUrl, openUrl }: MailMarks,
  except: (url: string) => boolean,
): string {
  const linked =
    clickUrl === undefined
      ? html
      : withHrefs(html, (raw) => {
          const url = trackable(decodeEntities(raw).trim());
          return url === undefined || except(url) ? undefined : clickUrl(url);
        });
  if (openUrl === undefined) return linked;
  const pixel = pixelTag(openUrl);
  const end = linked.lastIndexOf('</body>');
  return end < 0 ? linked + pixel : linked.slice(0, end) + pixel + linked.slice(end);
}

/** The address in ASCII, as `Location` requires; `undefined` if untracked. */
function trackable(href: string): string | undefined {
  if (!/^https?:\/\/[^/?#]/i.test(href)) return undefined;
  if (/^[!-~]+$/.test(href)) return href.length <= trackedUrlBytesMax ? href : undefined;
  if (!URL.canParse(href)) return undefined;
  const { href: ascii } = new URL(href);
  return ascii.length <= trackedUrlBytesMax ? ascii : undefined;
}
