import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { contentSecurityPolicy, templateScripts } from '../../../services/build/csp.ts';

const hashOf = (code: string) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`;
const scriptRule = (policy: string) => policy.split('; ').find((rule) => rule.startsWith('script-src'));

test('inline code may run whatever its line ends are: browsers hash it with one character for each', () => {
  const policy = contentSecurityPolicy({ inline: ['a()\r\nb()\rc()\n'], external: [] });
  expect(scriptRule(policy)).toBe(`script-src 'self' ${hashOf('a()\nb()\nc()\n')}`);
});

test('of a script elsewhere the policy names the origin', () => {
  const external = ['https://cdn.test/a.js', 'https://cdn.test/b.js', 'https://x.test:8443/c.js'];
  expect(scriptRule(contentSecurityPolicy({ inline: [], external }))).toBe(
    "script-src 'self' https://cdn.test https://x.test:8443",
  );
});

test('a template brings its inline code, but none that Twig takes part in', () => {
  const template = `<script>one()</script><script>let x = {{ x }}</script><SCRIPT async src="https://cdn.test/a.js"></SCRIPT>`;
  expect(templateScripts(template)).toEqual({ inline: ['one()'], external: ['https://cdn.test/a.js'] });
});
