import { describe, expect, test } from '@jest/globals';
import { loadConfig } from '../../../services/core/config.ts';
import { sanitizeBody } from '../../../services/features/content/sanitize/index.ts';
import { describeService } from '../../../services/features/guide/guide.ts';
import { checkShellPath, requireWritablePath } from '../../../services/features/shell/paths.ts';
import { createTwigEnvironment } from '../../../services/twig/index.ts';
import { makeInputs, makeItem, makeMedia, renderSnapshot } from '../build/snapshot.ts';

const guide = describeService(loadConfig({}));
const { body_html: rules, shell } = guide;

/** The required parents of an element. */
const frames: Record<string, [string, string]> = {
  li: ['<ul>', '</ul>'],
  dt: ['<dl>', '</dl>'],
  dd: ['<dl>', '</dl>'],
  caption: ['<table>', '</table>'],
  colgroup: ['<table>', '</table>'],
  col: ['<table><colgroup>', '</colgroup></table>'],
  thead: ['<table>', '</table>'],
  tbody: ['<table>', '</table>'],
  tfoot: ['<table>', '</table>'],
  tr: ['<table><tbody>', '</tbody></table>'],
  td: ['<table><tbody><tr>', '</tr></tbody></table>'],
  th: ['<table><tbody><tr>', '</tr></tbody></table>'],
};

function write(name: string, isVoid: boolean, attribute = ''): string {
  const [before, after] = frames[name] ?? ['', ''];
  return `${before}<${name}${attribute}>${isVoid ? '' : `</${name}>`}${after}`;
}

const exampleOf = (name: string) => rules.attribute_values[name]?.[0] ?? (name === 'srcset' ? '/a.png 1x' : 'x');

describe('what the guide allows in a body passes without a word', () => {
  test.each(rules.allowed_elements)('<$name>', ({ name, attributes, void: isVoid }) => {
    const bare = write(name, isVoid);
    expect(sanitizeBody(bare)).toEqual({ html: bare, warnings: [] });
    for (const attribute of [...attributes, ...rules.global_attributes]) {
      const isBoolean = rules.boolean_attributes.includes(attribute);
      const html = write(name, isVoid, isBoolean ? ` ${attribute}` : ` ${attribute}="${exampleOf(attribute)}"`);
      expect(sanitizeBody(html)).toEqual({ html, warnings: [] });
    }
  });

  test('every scheme of every URL attribute', () => {
    for (const [attribute, { schemes }] of Object.entries(rules.url_attributes)) {
      const element = rules.allowed_elements.find(({ attributes }) => attributes.includes(attribute))!;
      for (const scheme of schemes) {
        const id = '00000000-0000-4000-8000-000000000000';
        const url =
          scheme === 'media' ? `media:${id}` : scheme.startsWith('http') ? `${scheme}://a.test/` : `${scheme}:1`;
        const html = write(element.name, element.void, ` ${attribute}="${url}"`);
        expect(sanitizeBody(html)).toEqual({ html, warnings: [] });
      }
      const refused = sanitizeBody(write(element.name, element.void, ` ${attribute}="javascript:x"`));
      expect(refused.warnings).toHaveLength(1);
    }
  });

  test('the embeds, as the guide writes them', () => {
    const id = '00000000-0000-4000-8000-000000000000';
    for (const syntax of [
      guide.embeds.image.syntax,
      guide.embeds.component.syntax,
      ...rules.embeds.map((e) => e.syntax),
    ]) {
      const html = syntax.replace('{id}', id).replace('{handle}', 'card').replaceAll('…', '').replace("'{}'", '"{}"');
      expect(sanitizeBody(html)).toEqual({ html, warnings: [] });
    }
  });
});

describe('what the guide says is removed is removed', () => {
  test.each(rules.removed_with_content)('<%s> with what it contains', (name) => {
    const { html, warnings } = sanitizeBody(`<p>before</p><${name}>inside</${name}><p>after</p>`);
    expect(html).toContain('before');
    expect(html).not.toContain('inside');
    expect(html).not.toContain(`<${name}`);
    expect(warnings.length).toBeGreaterThan(0);
  });

  test.each(rules.refused_ids_and_names)('the id %s', (id) => {
    expect(sanitizeBody(`<p id="${id}">x</p>`)).toMatchObject({
      html: '<p>x</p>',
      warnings: [{ code: 'attribute_removed' }],
    });
  });

  test('an element that the guide does not name loses its tags and keeps its text', () => {
    const known = new Set(rules.allowed_elements.map(({ name }) => name));
    for (const name of ['form', 'font', 'center', 'blink', 'button', 'dialog', 'x-other', 'address']) {
      const { html } = sanitizeBody(`<${name}>text</${name}>`);
      expect([name, html]).toEqual([name, known.has(name) ? `<${name}>text</${name}>` : 'text']);
    }
  });
});

describe('what the guide offers to templates is there', () => {
  const media = makeMedia();
  const post = makeItem({ tags: ['a'], featured_media_id: media.id });
  const inputs = () => makeInputs({ items: [post, makeItem({ type: 'page', slug: 'about' })], media: [media] });
  const base = { 'home.twig': '', 'archive.twig': '', '404.twig': '', 'page.twig': '', 'post.twig': '' };
  const render = (templates: Record<string, string>) =>
    renderSnapshot({
      inputs: inputs(),
      templates: { ...base, ...templates },
      bodies: {},
      assets: [['style.css', '/s.css']],
    });
  const uses: Record<string, string> = {
    posts: "{{ posts({limit: 1, tag: 'a', locale: 'en', offset: 0})|length }}",
    pages: "{{ pages({locale: 'en'})|length }}",
    asset: "{{ asset('style.css') }}",
    media: `{{ media('${media.id}', {sizes: '50vw', alt: 'Other', lazy: false}).url }}`,
    component: "[{{ component('none', {a: 1}) }}]",
    url: "{{ url('/posts/') }}",
    t: "{{ t('Text') }}",
  };

  test.each(shell.functions)('the function $name', ({ name }) => {
    const { faults, pages } = render({ 'home.twig': uses[name]! });
    expect(faults).toEqual([]);
    expect(pages.get('/')!.html).not.toBe('');
  });

  test('no function is left out', () => {
    const { faults } = render({ 'home.twig': '{{ not_a_function() }}' });
    expect(faults).toHaveLength(1);
    expect(shell.functions.map(({ name }) => name).sort()).toEqual(Object.keys(uses).sort());
  });

  test.each(shell.variables)('every member of $name in $where', ({ name, where, members }) => {
    const files = where!.startsWith('every') ? ['home.twig'] : where!.replace('{type}.twig', '').match(/[\w]+\.twig/g)!;
    for (const file of files) {
      const checks = members!.map((member) => `{{ ${name}.${member} is defined ? '' : '${member} ' }}`).join('');
      const { pages, faults } = renderSnapshot({
        inputs: inputs(),
        templates: { ...base, [file]: checks },
        bodies: { [post.id]: '' },
      });
      expect(faults).toEqual([]);
      const paths = {
        'home.twig': '/',
        'archive.twig': '/posts/',
        '404.twig': '/404.html',
        'page.twig': '/about/',
      } as Record<string, string>;
      const page = pages.get(paths[file] ?? `/posts/${post.slug}/`)!;
      expect([file, page.html]).toEqual([file, '']);
    }
  });

  test.each(shell.templates.filter(({ required }) => required))('without $file no build succeeds', ({ file }) => {
    const templates: Record<string, string> = { ...base };
    delete templates[file];
    expect(() => renderSnapshot({ inputs: inputs(), templates, bodies: {} })).toThrow(file);
  });

  test.each(shell.templates.filter(({ required, file }) => !required && file !== '{type}.twig'))(
    '$file may be absent',
    ({ file }) => {
      const templates: Record<string, string> = { ...base };
      delete templates[file];
      expect(renderSnapshot({ inputs: inputs(), templates, bodies: {} }).faults).toEqual([]);
    },
  );
});

describe('the names of Twig', () => {
  const compile = (source: string) => {
    const environment = createTwigEnvironment({ getSource: () => ({ source, hash: source }), functions: {} });
    try {
      environment.render('x', {});
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };

  test.each([
    ['filters', (name: string) => `{{ x|${name} }}`],
    ['functions', (name: string) => `{{ ${name}() }}`],
    ['tests', (name: string) => `{{ x is ${name} }}`],
    ['tags', (name: string) => `{% ${name} %}`],
  ] as const)('every one of the %s is known', (kind, use) => {
    expect(shell.twig[kind].length).toBeGreaterThan(5);
    for (const name of shell.twig[kind]) expect(compile(use(name))).not.toMatch(/^Unknown/);
    expect(compile(use('nothing_like_it'))).toMatch(/Unknown/);
  });
});

describe('shell paths', () => {
  test.each(Object.keys(shell.paths.content_types))('.%s is allowed', (extension) => {
    expect(() => requireWritablePath(`a/b.${extension}`)).not.toThrow();
  });

  test('the length is the one that is enforced', () => {
    const longest = `${'x'.repeat(shell.paths.max_path_bytes - 4)}.css`;
    expect(checkShellPath(longest)).toBe(longest);
    expect(() => checkShellPath(`x${longest}`)).toThrow('255');
  });
});
