// Finds the route of a method and path in a tree of segments; a fixed segment beats a parameter.

import type { Method, Route } from './route.ts';

interface Node {
  readonly fixed: Map<string, Node>;
  param: { readonly name: string; readonly node: Node } | undefined;
  readonly routes: Map<Method, { readonly route: Route; readonly names: readonly string[] }>;
}

export type Matched =
  | {
      readonly kind: 'found';
      readonly route: Route;
      readonly params: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'method'; readonly allowed: readonly Method[] }
  | { readonly kind: 'none' };

export class RouteTree {
  readonly #root = emptyNode();

  constructor(routes: readonly Route[]) {
    for (const route of routes) this.#add(route);
  }

  match(method: string, path: string): Matched {
    const values: string[] = [];
    let node: Node | undefined = this.#root;
    let from = 1;
    while (from <= path.length) {
      const slash = path.indexOf('/', from);
      const end = slash < 0 ? path.length : slash;
      const segment = path.slice(from, end);
      from = end + 1;
      const fixed: Node | undefined = node.fixed.get(segment);
      if (fixed !== undefined) node = fixed;
      else if (node.param !== undefined && segment !== '') {
        values.push(segment);
        node = node.param.node;
      } else return { kind: 'none' };
    }
    if (node.routes.size === 0) return { kind: 'none' };
    const found = node.routes.get((method === 'HEAD' ? 'GET' : method) as Method);
    if (found === undefined) return { kind: 'method', allowed: [...node.routes.keys()] };
    const params: Record<string, string> = {};
    for (let i = 0; i < found.names.length; i++) {
      const value = decode(values[i] ?? '');
      if (value === undefined) return { kind: 'none' };
      params[found.names[i] as string] = value;
    }
    return { kind: 'found', route: found.route, params };
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
