import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Problem } from '../../../services/core/errors.ts';
import { canonicalLocale, localeName } from '../../../services/core/locale.ts';
import { pageQuery } from '../../../services/core/schema.ts';
import { deriveSlug, maxSlugLength, withCounter } from '../../../services/core/slug.ts';
import { formatTimestamp, parseTimestamp } from '../../../services/core/timestamp.ts';
import { check } from '../../../services/core/validate.ts';
import { contentListQuery } from '../../../services/features/content/schema.ts';
import { cleanFilename, filenameOfUrl } from '../../../services/features/media/filename.ts';
import { libraryQuery } from '../../../services/features/media/schema.ts';
import { requireShellPath, requireWritablePath } from '../../../services/features/shell/paths.ts';
import { anyText, attempt, pieced, target } from '../target.ts';

const slugShape = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const digits = (count: number) =>
  fc.integer({ min: 0, max: 10 ** count - 1 }).map((n) => String(n).padStart(count, '0'));
const almostTimestamp = fc
  .tuple(
    ...[digits(4), fc.constantFrom('-', '/'), digits(2), fc.constant('-'), digits(2)],
    ...[fc.constantFrom('T', 't', ' '), digits(2), fc.constant(':'), digits(2), fc.constant(':'), digits(2)],
    fc.constantFrom('Z', 'z', '', '+00:00', '.000Z', 'Z\n', 'Z '),
  )
  .map((parts) => parts.join(''));

/** Whether the moment exists, computed without Date. */
function isMoment(text: string): boolean {
  const parts = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z$/.exec(text)?.slice(1).map(Number);
  if (!parts || text.length !== 20) return false;
  const [year, month, day, hour, minute, second] = parts as [number, number, number, number, number, number];
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  return year >= 1 && day >= 1 && day <= days && hour <= 23 && minute <= 59 && second <= 59;
}

const localePieces = [
  'en',
  'de',
  'pt',
  'zh',
  'x',
  'i',
  '-',
  '-',
  '_',
  'BR',
  'Hant',
  'latn',
  'u',
  'co',
  '419',
  'a',
  '1996',
];
const numberTexts = ['0', '1', '20', '100', '101', '-1', '1.5', '1e3', '0x10', ' 1', '+1', '9'.repeat(40), '', '١'];
const pathPieces = [
  'a',
  '/',
  '.',
  '..',
  '%2e',
  '%2E',
  '%2f',
  '%5c',
  '\\',
  '%00',
  '%0a',
  '%',
  '%c0%ae',
  'base.twig',
  '.css',
  'é',
  '%C3%A9',
];

export const textTargets = [
  target({
    name: 'slug',
    inputs: fc.tuple(anyText(400), fc.integer({ min: 2, max: 1_000_000 })),
    check([text, n]) {
      const slug = deriveSlug(text);
      assert.match(slug, slugShape);
      assert.ok(slug.length <= maxSlugLength);
      assert.equal(deriveSlug(slug), slug);
      const counted = withCounter(slug, n);
      assert.match(counted, slugShape);
      assert.ok(counted.length <= maxSlugLength && counted.endsWith(`-${n}`));
      assert.equal(deriveSlug(counted), counted);
    },
    pump: { pieces: ['a', ' ', '-', "'", 'ß', '北', '\ud800', '`', '😀'], parse: deriveSlug },
  }),
  target({
    name: 'timestamp',
    inputs: fc.oneof(
      almostTimestamp,
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      anyText(30),
    ),
    check(text) {
      const date = parseTimestamp(text);
      assert.equal(date !== null, isMoment(text), text);
      if (date) assert.equal(formatTimestamp(date), text);
    },
  }),
  target({
    name: 'locale',
    inputs: fc.oneof(pieced(localePieces, 8, anyText(3)), anyText(40)),
    check(text) {
      const locale = canonicalLocale(text);
      if (locale === null) return;
      assert.match(locale, /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/);
      assert.ok(locale.length <= 40);
      assert.equal(canonicalLocale(locale), locale);
      assert.ok(localeName(locale).length > 0);
      new Intl.Segmenter(locale);
    },
  }),
  target({
    name: 'pagination',
    inputs: fc.oneof(
      fc
        .tuple(fc.oneof(fc.constantFrom(...numberTexts), anyText(10)), fc.constantFrom(...numberTexts))
        .map(([page, size]) => `page=${encodeURIComponent(page.toWellFormed())}&per_page=${encodeURIComponent(size)}`),
      pieced(
        ['page=', 'per_page=', '&', '=', '1', '100', '%31', '%', 'kind=image', ',', 'q=', 'status=draft', 'type='],
        12,
      ),
    ),
    check(search) {
      const values = Object.fromEntries(new URLSearchParams(search));
      for (const schema of [pageQuery, contentListQuery, libraryQuery]) {
        const query = attempt(() => check(schema, values), Problem);
        if (query === null) continue;
        assert.ok(Number.isSafeInteger(query.page) && query.page >= 1);
        assert.ok(Number.isSafeInteger(query.per_page) && query.per_page >= 1 && query.per_page <= 100);
        assert.ok(Number.isSafeInteger((query.page - 1) * query.per_page));
      }
    },
  }),
  target({
    name: 'shell path',
    inputs: fc.oneof(pieced(pathPieces, 12), anyText(300)).map((text) => text.toWellFormed()),
    check(encoded) {
      const path = attempt(() => requireShellPath(encoded), Problem);
      if (path === null) return;
      assert.ok(Buffer.byteLength(path) <= 255 && path !== '' && !path.startsWith('/') && !path.endsWith('/'));
      assert.ok(!/[\\\u0000-\u001f\u007f]/.test(path) && path.isWellFormed());
      for (const segment of path.split('/')) assert.ok(segment !== '' && !segment.startsWith('.'));
      assert.equal(new URL(`./${encodeURI(path)}`, 'http://x.invalid/shell/').pathname.startsWith('/shell/'), true);
      attempt(() => requireWritablePath(path), Problem);
    },
  }),
  target({
    name: 'filename',
    inputs: fc.oneof(anyText(300), pieced([...pathPieces, '\u202e', 'gpj.exe', ':', '"', '\r\n'], 12)),
    check(given) {
      const name = cleanFilename(given);
      assert.ok(name !== '' && Buffer.byteLength(name) <= 200 && name.isWellFormed());
      assert.ok(!/[/\\"<>:|?*\u0000-\u001f\u007f-\u009f\u202a-\u202e]/.test(name) && !name.startsWith('.'));
      assert.equal(cleanFilename(name), name);
      const url = URL.parse(`http://x.invalid/${given}`);
      if (url) assert.ok(filenameOfUrl(url.href) !== '');
    },
    pump: { pieces: ['a', '.', ' ', '/', '\u202e', 'é', '😀', '\ud800'], parse: cleanFilename },
  }),
];
