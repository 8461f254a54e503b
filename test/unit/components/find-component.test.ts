import { describe, expect, test } from '@jest/globals';
import { findComponent } from '../../../services/engines/components/find-component.ts';

const jsx = "import { jsx } from 'react/jsx-runtime';\n";

describe('the component of a module is', () => {
  test.each([
    ['the default export', 'function A() {}\nexport { A as default };', null, true],
    ['a default that is declared', 'export default function () {}', null, true],
    ['the only one exported', 'function A() {}\nfunction B() {}\nconst size = 1;\nexport { A, size };', 'A', true],
    ['the only one exported under another name', 'function Inner() {}\nexport { Inner as Card };', 'Inner', true],
    ['the only one defined', 'const helper = () => 1;\nconst Card = () => helper();', 'Card', true],
    ['a class', 'class Card {}', 'Card', true],
    ['a remembered one', 'const Card = memo(() => 1);', 'Card', true],
    ['a remembered one by way of React', 'const Card = React.forwardRef(() => 1);', 'Card', true],
    ['none of two exported', 'function A() {}\nfunction B() {}\nexport { A, B };', null, false],
    ['none of two defined', 'function A() {}\nfunction B() {}', null, false],
    ['none when only other things are exported', 'function A() {}\nconst size = 1;\nexport { size };', null, false],
    ['none in text and numbers', "const Title = 'x';\nconst SIZE = 3;", null, false],
  ])('%s', (_what, code, name, found) => {
    expect(findComponent(code)).toMatchObject({ name, found });
  });
});

describe('a component does something in the browser that', () => {
  test.each([
    ['has state', 'const [n] = useState(0);'],
    ['has state by way of React', 'const [n] = React.useReducer(f, 0);'],
    ['has an effect', 'useEffect(() => {});'],
    ['answers the user', "jsx('button', { onClick: () => go() });"],
    ['reads an outside store', 'useSyncExternalStore(a, b);'],
    ['is called with its element', "jsx('p', { ref: (element) => element.focus() });"],
    ['is a class with state', 'this.setState({});'],
  ])('%s', (_what, line) => {
    expect(findComponent(`${jsx}export default () => { ${line} }`).interactive).toBe(true);
  });

  test.each([
    ['only shows', "return jsx('p', { className: 'a' });"],
    ['remembers values', 'const id = useId(); const value = useMemo(() => 1, []);'],
    [
      'has variables that only sound like events',
      'const item = { onSale: true, on: 1 }; return jsx(Price, { onSale: item.onSale });',
    ],
    ['hands a reference on', "return jsx('p', { ref });"],
    ['names its props like a hook in text', "return 'useState onClick';"],
  ])('does not when it %s', (_what, line) => {
    expect(findComponent(`${jsx}export default () => { ${line} }`).interactive).toBe(false);
  });
});
