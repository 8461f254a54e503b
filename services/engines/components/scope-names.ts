import type { AtRule, Declaration, Root } from 'postcss';
import parseSelector from 'postcss-selector-parser';
import parseValue, { type Node } from 'postcss-value-parser';

const keyframes = /^(?:-\w+-)?keyframes$/i;
/** Custom properties are recognised by name: their value does not reveal their use. */
const animationUse = /^(?:(?:-\w+-)?animation(?:-name)?|--.*anim.*)$/i;
const fontUse = /^(?:font|font-family|--.*font.*)$/i;
/** Keywords of `animation`; keyframes with these names cannot be told apart from them. */
const animationWords = new Set(
  `none initial inherit unset revert revert-layer ease ease-in ease-out ease-in-out linear step-start step-end infinite
   normal reverse alternate alternate-reverse forwards backwards both running paused auto`.split(/\s+/),
);

function nameOf(params: string): string {
  const text = params.trim();
  return /^(["']).*\1$/.test(text) ? text.slice(1, -1) : text;
}

/** Maximum number of words and spaces in a family's name. */
const maxNameParts = 40;
const nameTypes = new Set(['word', 'string', 'space']);

/** Normalizes a font name: case-insensitive, and several words are one name. */
const foldFont = (name: string) => nameOf(name).replaceAll(/\s+/g, ' ').toLowerCase();

function renameKeyframes(root: Root, prefix: string): void {
  const renamed = new Map<string, string>();
  root.walkAtRules(keyframes, (rule) => {
    const name = nameOf(rule.params);
    if (name === '' || animationWords.has(name.toLowerCase())) return;
    renamed.set(name, prefix + name);
    rule.params = /^["']/.test(rule.params.trim()) ? `"${prefix}${name}"` : prefix + name;
  });
  if (renamed.size === 0) return;
  root.walkDecls(animationUse, (declaration) => {
    const value = parseValue(declaration.value);
    value.walk((node) => {
      if (node.type === 'word' || node.type === 'string') node.value = renamed.get(node.value) ?? node.value;
    });
    declaration.value = value.toString();
  });
}

/**
 * Finds the family name in a list entry and returns its start and new name: in `font`, where size and weight come
 * first, the entry's last words, else the whole entry.
 */
function findFamily(
  nodes: readonly Node[],
  families: ReadonlyMap<string, string>,
  mayFollow: boolean,
): [number, string] | null {
  const first = nodes.findIndex(({ type }) => type !== 'space');
  const from = mayFollow ? Math.max(first, nodes.length - maxNameParts) : first;
  for (let start = Math.max(0, from); start < (mayFollow ? nodes.length : first + 1); start++) {
    const tail = nodes.slice(start);
    if (nodes[start]!.type === 'space' || !tail.every(({ type }) => nameTypes.has(type))) continue;
    const family = families.get(foldFont(parseValue.stringify([...tail])));
    if (family !== undefined) return [start, family];
  }
  return null;
}

function renameFamily(declaration: Declaration, families: ReadonlyMap<string, string>): void {
  const value = parseValue(declaration.value);
  const entries: Node[][] = [[]];
  const commas: Node[] = [];
  for (const node of value.nodes) {
    if (node.type === 'div' && node.value === ',') {
      commas.push(node);
      entries.push([]);
    } else entries.at(-1)!.push(node);
  }
  const parts = entries.map((nodes) => {
    const found = findFamily(nodes, families, declaration.prop.toLowerCase() === 'font');
    return found ? `${parseValue.stringify(nodes.slice(0, found[0]))}"${found[1]}"` : parseValue.stringify(nodes);
  });
  declaration.value = parts.map((part, n) => part + (commas[n] ? parseValue.stringify(commas[n]!) : '')).join('');
}

function renameFonts(root: Root, prefix: string): void {
  const families = new Map<string, string>();
  root.walkAtRules(/^font-face$/i, (rule) => {
    rule.walkDecls(/^font-family$/i, (declaration) => {
      const name = nameOf(declaration.value);
      families.set(foldFont(name), prefix + name);
      declaration.value = `"${prefix}${name}"`;
    });
  });
  if (families.size === 0) return;
  root.walkDecls(fontUse, (declaration) => {
    const { parent } = declaration;
    if (parent?.type === 'atrule' && /^font-face$/i.test((parent as AtRule).name)) return;
    renameFamily(declaration, families);
  });
}

/** Nests the component's layers in a layer of its own, since all layers of a page share one order. */
function nestLayers(root: Root, prefix: string): void {
  root.walkAtRules(/^layer$/i, (rule) => {
    const parent = rule.parent?.type === 'atrule' ? (rule.parent as AtRule) : null;
    if (rule.params.trim() === '' || parent?.name.toLowerCase() === 'layer') return;
    rule.params = rule.params
      .split(',')
      .map((name) => `${prefix}.${name.trim()}`)
      .join(', ');
  });
}

/** Replaces `:root` and `:host` by `:scope`: within a scope they can only mean the component's element. */
function renameRoots(root: Root): void {
  const processor = parseSelector((selectors) => {
    for (const selector of selectors.nodes) {
      let scoped = false;
      selector.walk((node) => {
        scoped ||= node.type === 'nesting' || (node.type === 'pseudo' && node.value.toLowerCase() === ':scope');
      });
      if (scoped) continue;
      selector.walkPseudos((pseudo) => {
        if (!/^:(?:root|host)$/i.test(pseudo.value)) return;
        const inner = pseudo.nodes.map(String).join(',');
        pseudo.replaceWith(
          parseSelector.pseudo({ value: inner === '' ? ':scope' : `:scope:is(${inner})`, spaces: pseudo.spaces }),
        );
      });
    }
  });
  root.walkRules((rule) => {
    const isStep = rule.parent?.type === 'atrule' && keyframes.test((rule.parent as AtRule).name);
    if (isStep || !/:(?:root|host)\b/i.test(rule.selector)) return;
    try {
      rule.selector = processor.processSync(rule.selector);
    } catch {
      // not a valid selector: browsers ignore the rule
    }
  });
}

/**
 * Prefixes the names that a component's sheet defines (keyframes, font families and layers) with its handle, in
 * definitions and uses. So two components, or a component and the shell, may use the same names.
 */
export function scopeNames(root: Root, handle: string): void {
  // includes the handle's length, so that `a` with `b-c` differs from `a-b` with `c`
  const prefix = `fs${handle.length}-${handle}-`;
  renameKeyframes(root, prefix);
  renameFonts(root, prefix);
  nestLayers(root, `fs-${handle}`);
  renameRoots(root);
}
