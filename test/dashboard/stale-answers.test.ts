// What is asked for again after a change, and what is only marked.

import { QueryClient, QueryObserver } from '@tanstack/react-query';
import t from 'tap';
import type { OperationName } from '../../dashboard/api/client.ts';
import { refreshAfter } from '../../dashboard/api/client.ts';

const path = { appId: 'app_1', id: 'cmp_1' };

/** A cache with these answers, all of them shown, and which of them are asked for again. */
function cacheOf(keys: readonly (readonly [OperationName, object])[]) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } });
  const asked: string[] = [];
  for (const queryKey of keys) {
    client.setQueryData(queryKey, {});
    const queryFn = async () => {
      asked.push(queryKey[0]);
      return {};
    };
    new QueryObserver(client, { queryKey, queryFn }).subscribe(() => {});
  }
  const marked = () =>
    client
      .getQueryCache()
      .getAll()
      .filter(({ state }) => state.isInvalidated)
      .map(({ queryKey }) => queryKey[0]);
  return { client, asked, marked };
}

t.test('a change asks again for what shows the nouns that it changes', async (t) => {
  const { client, asked, marked } = cacheOf([
    ['listCampaigns', { path: { appId: 'app_1' } }],
    ['readCampaignOfApp', { path }],
    ['listSegmentUses', { path: { appId: 'app_1', id: 'seg_1' } }],
    ['listMessages', { path: { appId: 'app_1' } }],
    ['listAuditLog', {}],
  ]);
  await refreshAfter(client, 'pauseCampaignOfApp', path);
  t.strictSame(asked, ['listCampaigns', 'readCampaignOfApp', 'listSegmentUses', 'listAuditLog']);
  t.strictSame(marked(), []);
  client.clear();
});

t.test('a deletion does not ask for what it deleted', async (t) => {
  const { client, asked, marked } = cacheOf([
    ['listCampaigns', { path: { appId: 'app_1' } }],
    ['readCampaignOfApp', { path }],
    ['readCampaignOfApp', { path: { ...path, id: 'cmp_2' } }],
    ['compareCampaigns', { query: { ids: 'cmp_2,cmp_1' } }],
  ]);
  await refreshAfter(client, 'deleteCampaign', path);
  t.strictSame(asked, ['listCampaigns', 'readCampaignOfApp']);
  t.strictSame(marked(), ['readCampaignOfApp', 'compareCampaigns']);
  client.clear();
});

t.test('a deletion by the body asks for the list at its own path', async (t) => {
  const { client, asked } = cacheOf([['listSuppressions', { path: { appId: 'app_1' } }]]);
  await refreshAfter(client, 'deleteSuppression', { appId: 'app_1' });
  t.strictSame(asked, ['listSuppressions']);
  client.clear();
});

t.test('a call that changes nothing, or ends the session, asks for nothing', async (t) => {
  const { client, asked } = cacheOf([
    ['listCampaigns', { path: { appId: 'app_1' } }],
    ['listMembers', {}],
    ['listAuditLog', {}],
  ]);
  await refreshAfter(client, 'simulateUnsaved', { appId: 'app_1' });
  await refreshAfter(client, 'leaveOrg', { org: 'org_1' });
  t.strictSame(asked, []);
  client.clear();
});
