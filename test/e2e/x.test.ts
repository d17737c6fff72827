import t from 'tap';
import { client, makeOrg, startServer, eventually } from '/work/main/test/support/server.ts';
const server = await startServer(t);
const org = await makeOrg(server, 'A');
const app = await org.client.must('POST /v1/apps', { name: 'Shop' });
const events = Array.from({length: 500}, (_, i) => ({name: 'x', externalUserId: `u${i%7}`, id: `e${i}`}));
for (let i = 0; i < 10; i++) await org.client.must('POST /e', {appId: app.id, events: events.slice(i*50, i*50+50)});
let c = '';
for (let i = 0; i < 6; i++) { const r = await org.client.must(`GET /v1/apps/${app.id}/events?name=x&limit=200${c && '&cursor='+c}`); console.error(r.items.length, r.items[0]?.id, r.items.at(-1)?.id, r.nextCursor); c = r.nextCursor; if (c === null) break; }
