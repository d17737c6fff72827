// Downloads of everybody or of a segment, streamed by the API.

import { hrefOf } from '../../api/client.ts';
import { useApp } from '../../api/session-context.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { words } from './words.ts';

export function ExportMenu({
  segmentId,
  isFiltered,
}: {
  readonly segmentId: string | undefined;
  readonly isFiltered: boolean;
}) {
  const app = useApp();
  const download = (format: 'csv' | 'jsonl') =>
    location.assign(
      hrefOf('exportSubscribers', {
        path: { appId: app.id },
        query: { format, ...(segmentId === undefined ? {} : { segmentId }) },
      }),
    );
  const isPart = segmentId !== undefined;
  return (
    <Menu
      trigger={
        <button type="button" className="button">
          <Icon name="download" />
          {words.exportAll}
        </button>
      }
      items={[
        {
          label: isPart ? words.exportSegmentCsv : words.exportCsv,
          onChoose: () => download('csv'),
        },
        {
          label: isPart ? words.exportSegmentJson : words.exportJson,
          onChoose: () => download('jsonl'),
        },
        ...(isFiltered ? [{ heading: words.exportFiltered }] : []),
      ]}
    />
  );
}
