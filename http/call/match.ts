// Finds the route of a method and path in a tree of segments; a fixed segment beats a parameter, as
// far as there is a route of the method behind it.

import type { Method, Route } from './route.ts';

interface Declared {
  readonly route: Route;
  readonly names: readonly string[];
}

interface Node {
  readonly fixed: Map<string, Node>;
  param: { readonly name: string; readonly node: Node } | undefined;
  readonly routes: Map<Method, Declared>;
}

export type Matched =
  | {
      readonly kind: 'found';
      readonly route: Route;
      readonly params: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'method';
      readonly allowed: readonly Method[];
      /** Of the first route that has another method. */
      readonly pattern: string;
    }
  | { readonly kind: 'none' };

export class RouteTree {
  readonly #root = emptyNode();

  constructor(routes: readonly Route[]) {
    for (const route of routes) this.#add(route);
  }

  match(method: string, path: string): Matched {
    const wanted = (method === 'HEAD' ? 'GET' : method) as Method;
    const others: Route[] = [];
    const found = findIn(this.#root, path, 1, [], wanted, others);
    if (found !== undefined) return found;
    const [first] = others;
    if (first === undefined) return { kind: 'none' };
    const allowed = [...new Set(others.map((route) => route.method))];
    return { kind: 'method', allowed, pattern: first.path };
  }

  /** The pattern of the routes with this path, whatever their method. */
  patternOf(path: string): string | undefined {
    const matched = this.match('', path);
    return matched.kind === 'method' ? matched.pattern : undefined;
  }

  #add(route: Route): void {
    const names: string[] = [];
    let node = this.#root;
    for (const segment of route.path.slice(1).split('/')) {
      if (segment.startsWith(':')) {
        names.push(segment.slice(1));
        node.param ??= { name: segment.slice(1), node: emptyNode() };
        node = node.param.node;
        continue;
      }
      let next = node.fixed.get(segment);
      if (next === undefined) {
        next = emptyNode();
        node.fixed.set(segment, next);
      }
      node = next;
    }
    if (node.routes.has(route.method))
      throw new Error(`${route.method} ${route.path} is declared twice`);
    node.routes.set(route.method, { route, names });
  }
}

/** The route below a node for what is left of the path; else adds the methods that it has. */
function findIn(
  node: Node,
  path: string,
  from: number,
  values: string[],
  method: Method,
  others: Route[],
): Matched | undefined {
  if (from > path.length) {
    const found = node.routes.get(method);
    if (found !== undefined) return foundWith(found, values);
    for (const { route } of node.routes.values()) others.push(route);
    return undefined;
  }
  const slash = path.indexOf('/', from);
  const end = slash < 0 ? path.length : slash;
  const segment = path.slice(from, end);
  const fixed = node.fixed.get(segment);
  const found = fixed && findIn(fixed, path, end + 1, values, method, others);
  if (found !== undefined || node.param === undefined || segment === '') return found;
  values.push(segment);
  const behind = findIn(node.param.node, path, end + 1, values, method, others);
  if (behind === undefined) values.pop();
  return behind;
}

function foundWith({ route, names }: Declared, values: readonly string[]): Matched {
  const params: Record<string, string> = {};
  for (let i = 0; i < names.length; i++) {
    const value = decode(values[i] ?? '');
    if (value === undefined) return { kind: 'none' };
    params[names[i] as string] = value;
  }
  return { kind: 'found', route, params };
}

function emptyNode(): Node {
  return { fixed: new Map(), param: undefined, routes: new Map() };
}

function decode(segment: string): string | undefined {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
