// How often each link of a campaign was clicked.

import type { Campaign } from '../../api/generated.ts';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { count } from '../../ui/figure.tsx';
import { Answer, Empty } from '../../ui/note.tsx';
import { ScrollX } from '../../ui/scroll-x.tsx';
import { words } from './words.ts';

export function Links({ campaign }: { readonly campaign: Campaign }) {
  const app = useApp();
  const links = useRead('readCampaignLinks', { path: { appId: app.id, id: campaign.id } });
  return (
    <Answer result={links}>
      {({ items, others }) =>
        items.length === 0 ? (
          <Empty icon="link" title={words.page.noLinks}>
            {words.page.noLinksText}
          </Empty>
        ) : (
          <ScrollX isCard>
            <table className="plain-table">
              <thead>
                <tr>
                  <th scope="col">{words.page.link}</th>
                  <th scope="col" className="end">
                    {words.page.linkPeople}
                  </th>
                  <th scope="col" className="end">
                    {words.page.linkClicks}
                  </th>
                </tr>
              </thead>
              <tbody>
                {items.map(({ url, clicks, people }) => (
                  <tr key={url}>
                    <td className="link-cell">
                      <SafeLink url={url} />
                    </td>
                    <td className="end">{count(people)}</td>
                    <td className="end">{count(clicks)}</td>
                  </tr>
                ))}
                {others.clicks > 0 && (
                  <tr>
                    <td className="soft">{words.page.otherLinks}</td>
                    <td className="end">{count(others.people)}</td>
                    <td className="end">{count(others.clicks)}</td>
                  </tr>
                )}
              </tbody>
            </table>
          </ScrollX>
        )
      }
    </Answer>
  );
}

/** Only the web can be opened; what else stands in an event is shown as text. */
function SafeLink({ url }: { readonly url: string }) {
  return /^https?:\/\//i.test(url) ? (
    <a href={url} target="_blank" rel="noreferrer">
      {url}
    </a>
  ) : (
    url
  );
}
