import { isObject } from '../../parts/json.ts';

/** The accents of the starter templates; the first one is the default. */
export const accents = ['lichen', 'tarn', 'slate', 'heather', 'rust'] as const;
export type Accent = (typeof accents)[number];

/** An entry of the menu. */
export interface MenuEntry {
  label: string;
  url: string;
}

type Settings = Record<string, unknown>;

/** The settings that have a separate field. */
const named = new Set(['tagline', 'description', 'footer', 'accent', 'posts_per_page', 'nav', 'shell_autopublish']);

/** Returns the text of a setting, empty for a value that is neither text nor number. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Returns the accent, which is the default for a value that the starter templates do not know. */
export const accentOf = ({ accent }: Settings): Accent => accents.find((name) => name === accent) ?? accents[0];

const texts = ['tagline', 'description', 'footer'] as const;

/** The members that the form edits as text. */
export const textMembers = [...texts, 'posts_per_page'] as const;

/**
 * Returns what the form changes: only fields that were edited, so that a value which a field cannot show, such as an object of another
 * template, stays. An empty field removes its setting.
 */
export function changedSettings(before: Settings, values: Readonly<Record<string, string>>): Settings {
  const edited = texts.filter((name) => (values[name] ?? '') !== textOf(before[name]));
  const changes: Settings = Object.fromEntries(edited.map((name) => [name, values[name] || null]));
  const posts = values['posts_per_page'];
  if ((posts ?? '') !== textOf(before['posts_per_page'])) changes['posts_per_page'] = posts ? Number(posts) : null;
  if (values['accent'] !== accentOf(before)) changes['accent'] = values['accent'];
  return changes;
}

/** Returns the entries of the menu; undefined if the setting is something else, which the form must not replace. */
export function menuOf({ nav = [] }: Settings): MenuEntry[] | undefined {
  if (nav === null) return [];
  if (!Array.isArray(nav)) return undefined;
  const isEntry = (entry: unknown): entry is MenuEntry => {
    const { label, url, ...others } = (entry ?? {}) as Record<string, unknown>;
    return typeof label === 'string' && typeof url === 'string' && Object.keys(others).length === 0;
  };
  return nav.every(isEntry) ? nav : undefined;
}

/** Returns the settings that have no separate field. They include a menu that the form cannot show. */
export function otherSettings(settings: Settings): Settings {
  const hasMenu = menuOf(settings) !== undefined;
  return Object.fromEntries(
    Object.entries(settings).filter(([name]) => !named.has(name) || (name === 'nav' && !hasMenu)),
  );
}

/** Returns the change that makes `before` to `after`: null removes a member, at any depth (RFC 7396). */
export function mergePatchOf(before: Settings, after: Settings): Settings {
  const removed = Object.keys(before).filter((name) => !(name in after));
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value),
  );
  return Object.fromEntries([
    ...removed.map((name) => [name, null] as const),
    ...changed.map(([name, value]) => {
      const old = before[name];
      return [name, isObject(old) && isObject(value) ? mergePatchOf(old, value) : value] as const;
    }),
  ]);
}

/** Returns the JSON object in a text, or undefined if the text is not a JSON object. */
export function parseObject(text: string): Settings | undefined {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
