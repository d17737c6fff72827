// Today's sends, this month's emails and the storage, against their limits.

import { useLiveRead } from '../../api/live.ts';
import { bytes, count, Figures } from '../../ui/figure.tsx';
import { Answer } from '../../ui/note.tsx';
import { words } from './words.ts';

export function useToday(appId: string) {
  return useLiveRead(appId, 'readOrgLimits', {}, { topics: ['limits'], isLive: () => true });
}

export function Today({ appId }: { readonly appId: string }) {
  const limits = useToday(appId);
  return (
    <section aria-labelledby="today" className="stack-tight">
      <h2 id="today">{words.today}</h2>
      <Answer result={limits} rows={2}>
        {({ dailySends, emailAllowance, storage }) => (
          <Figures
            items={[
              {
                name: words.sends,
                value: count(dailySends.used),
                note: dailySends.cap === null ? words.noCap : words.ofCap(count(dailySends.cap)),
              },
              {
                name: words.emails,
                value: count(emailAllowance.used),
                note:
                  emailAllowance.included === null
                    ? words.noAllowance
                    : words.ofAllowance(count(emailAllowance.included)),
              },
              {
                name: words.storage,
                value: bytes(storage.usedBytes),
                note:
                  storage.quotaBytes === null
                    ? words.noAllowance
                    : words.ofQuota(bytes(storage.quotaBytes)),
              },
            ]}
          />
        )}
      </Answer>
    </section>
  );
}
