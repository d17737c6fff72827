import t from 'tap';
import {
  checkVariables,
  keysInNfc,
  mergedOver,
  mergeVariables,
} from '../../../../actors/content/accept/variables.ts';

function problem(input: unknown): string {
  const checked = checkVariables(input);
  return 'fault' in checked ? checked.fault.message : '';
}

t.test('variables are flat scalars', async (t) => {
  const checked = checkVariables({
    order_id: 'A-1',
    total: 12.5,
    gift: false,
    '': undefined,
  } as object);
  t.match(checked, { fault: { message: /^variables\.: a key must have 1 to 64 characters$/ } });
  t.match(checkVariables({ order_id: 'A-1', total: 12.5, gift: false }), {
    variables: { order_id: 'A-1', total: 12.5, gift: false },
  });
  t.match(checkVariables(undefined), { variables: {} });
});

t.test(
  'null is refused, and so is everything nested, and the fault names the variable',
  async (t) => {
    t.match(checkVariables({ order_id: null }), {
      fault: { field: 'variables.order_id', code: 'invalid' },
    });
    t.equal(problem({ order_id: null }), 'variables.order_id: null is not allowed');
    for (const value of [{}, [], ['x'], Number.NaN, Number.POSITIVE_INFINITY]) {
      t.equal(problem({ x: value }), 'variables.x: expected a string, number or boolean');
    }
    for (const input of [null, [], 'x', 5])
      t.equal(
        problem(input),
        'variables: expected an object whose values are strings, numbers or booleans',
      );
  },
);

t.test('there are at most 50 variables', async (t) => {
  const of = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`v${i}`, i]));
  t.equal(problem(of(49)), '');
  t.equal(problem(of(50)), '');
  t.equal(problem(of(51)), 'variables: at most 50 variables');
});

t.test('keys that reach into prototypes are refused, and nothing is polluted', async (t) => {
  for (const text of [
    '{"__proto__":"x"}',
    '{"constructor":"x"}',
    '{"prototype":"x"}',
    '{"a\\u0000":"x"}',
  ]) {
    t.match(problem(JSON.parse(text)), /: this key is not allowed$/);
  }
  const checked = checkVariables(JSON.parse('{"toString":"mine"}'));
  t.ok(
    'variables' in checked &&
      checked.variables['toString'] === 'mine' &&
      Object.getPrototypeOf(checked.variables) === null,
  );
  t.equal(Reflect.get({}, 'x'), undefined);
});

t.test(
  "a recipient's variables are merged over the batch's, and together they are at most 50",
  async (t) => {
    t.match(mergeVariables({ a: 1, b: 2 }, { b: 3, c: 4 }), { variables: { a: 1, b: 3, c: 4 } });
    const shared = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`v${i}`, i]));
    t.ok('variables' in mergeVariables(shared, { v0: 'x' }));
    t.match(mergeVariables(shared, { more: 'x' }), {
      fault: { message: 'variables: at most 50 variables' },
    });
  },
);

t.test('names are in NFC, values stay as they are', async (t) => {
  const apart = 'họ_tên'.normalize('NFD');
  const value = 'Hà'.normalize('NFD');
  const checked = checkVariables({ [apart]: value });
  t.same('variables' in checked && { ...checked.variables }, { họ_tên: value });
  t.equal(
    problem({ họ_tên: 1, [apart]: 2 }),
    `variables.${'họ_tên'}: appears twice, in two normal forms of Unicode`,
  );
  const plain = { first_name: 1, họ_tên: 2 };
  t.equal(keysInNfc(plain), plain, 'is not copied');
  t.same(keysInNfc({ [apart]: 1, b: 2 }), { họ_tên: 1, b: 2 });
  t.same(mergedOver({ [apart]: 1, b: 1 }, { họ_tên: 2 }), { họ_tên: 2, b: 1 });
});
