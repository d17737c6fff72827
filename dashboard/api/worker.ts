// Starts a worker. The page's policy lets only one rule name a script, and the rule takes nothing
// but the dashboard's own files.

interface Rule {
  createScriptURL(path: string): string;
}

const trusted = (
  globalThis as unknown as {
    readonly trustedTypes?: { createPolicy(name: string, rule: Rule): Rule };
  }
).trustedTypes;

const own = /^\/dashboard\/a\/[\w-]+\.js$/;

const rule: Rule = {
  createScriptURL: (path) => {
    if (own.test(path)) return path;
    throw new TypeError(`not a script of the dashboard: ${path}`);
  },
};

/** A browser without Trusted Types takes the path itself. */
const policy = trusted?.createPolicy('engage-worker', rule) ?? rule;

/** `path` comes from an import of `url:./….ts`. */
export function startWorker(path: string): Worker {
  return new Worker(policy.createScriptURL(path));
}
