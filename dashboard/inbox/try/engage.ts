// The web SDK of the server that runs, as a site would load it, and the calls that it makes.

/** As much of the SDK as this page uses. */
export interface Engage {
  init(options: object): Promise<void>;
  login(externalUserId: string): Promise<unknown>;
  user(): Promise<{ readonly externalUserId: string | null }>;
  setTags(tags: Readonly<Record<string, string>>): Promise<void>;
  track(name: string): Promise<string>;
  flush(): Promise<void>;
  on(name: 'error', listener: (problem: { readonly message: string }) => void): () => void;
  readonly push: {
    subscribe(): Promise<void>;
    permission(): string;
    on(name: 'received', listener: (news: PushNews) => void): () => void;
  };
  readonly inbox: { refresh(): Promise<void> };
  readonly inApp: { refresh(): Promise<void> };
}

interface PushNews {
  readonly message: { readonly title?: string };
}

export interface HttpCall {
  readonly id: number;
  readonly line: string;
  /** 0 if nobody answered; absent while it runs. */
  readonly status?: number;
  readonly body?: string;
  readonly isOfSandbox?: true;
}

export interface TryAt {
  readonly engageUrl: string;
  readonly appId: string;
  /** The tag by which messages of this page find who tries it. */
  readonly tag: string;
}

export async function control<Answer>(path: string, body?: object): Promise<Answer> {
  const answer = await fetch(`/control${path}`, {
    ...(body === undefined
      ? {}
      : {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
  });
  const read = (await answer.json()) as Answer & { readonly error?: string };
  if (!answer.ok) throw new Error(read.error);
  return read;
}

/** Tells of each call to the server from now on: the SDK calls `fetch` of this page. */
export function watchCalls(engageUrl: string, tell: (call: HttpCall) => void): void {
  const before = window.fetch;
  let made = 0;
  window.fetch = async (input, init) => {
    const url = String(input instanceof Request ? input.url : input);
    if (!url.startsWith(engageUrl)) return before(input, init);
    const { method = 'GET', body } = init ?? {};
    const call = {
      id: ++made,
      line: `${method} ${url.slice(engageUrl.length).split('?')[0]}`,
      ...(typeof body === 'string' ? { body: pretty(body) } : {}),
    };
    tell(call);
    try {
      const answer = await before(input, init);
      tell({ ...call, status: answer.status });
      return answer;
    } catch (error) {
      tell({ ...call, status: 0 });
      throw error;
    }
  };
}

export function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), undefined, 2);
  } catch {
    return json;
  }
}

export async function loadEngage(engageUrl: string): Promise<Engage> {
  const [{ Engage }] = (await Promise.all([
    import(`${engageUrl}/sdk/v1/engage.js`),
    import(`${engageUrl}/sdk/v1/inbox.js`),
  ])) as [{ readonly Engage: Engage }, unknown];
  return Engage;
}

export function linesOf({ engageUrl, appId }: TryAt): string {
  return [
    `import { Engage } from '${engageUrl}/sdk/v1/engage.js';`,
    `await Engage.init({ appId: '${appId}', baseUrl: '${engageUrl}' });`,
    'await Engage.push.subscribe(); // from a click',
  ].join('\n');
}

/** Starts a Chromium whose push service is the sandbox. */
export async function browserCommand(): Promise<string> {
  const { switches } = await control<{ readonly switches: readonly string[] }>(
    '/webpush/browsers',
    {},
  );
  const words = ['--user-data-dir=/tmp/engage-try', '--no-first-run', ...switches, location.href];
  return ['chromium', ...words.map(quoted)].join(' \\\n  ');
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Whether the sandbox is this browser's push service: its tokens say so. */
export async function isReached(): Promise<boolean> {
  const scope = new URL('/engage/', location.href).href;
  const registration = await navigator.serviceWorker.getRegistration(scope);
  const subscription = await registration?.pushManager.getSubscription();
  return /standin(:|%3A)/i.test(subscription?.endpoint ?? '');
}
