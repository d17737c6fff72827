// A link that downloads a file from the API; the browser's cookie signs the call.

import { Icon } from './icon.tsx';

export function DownloadLink({
  href,
  children,
}: {
  readonly href: string;
  readonly children: string;
}) {
  return (
    <a className="button small" href={href} download="">
      <Icon name="download" />
      {children}
    </a>
  );
}
