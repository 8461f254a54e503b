import {
  allowedTags,
  attributesByTag,
  attributeValues,
  booleanAttributes,
  componentTag,
  globalAttributes,
  limits,
  refusedNames,
  refusedRelWords,
  tagsRemovedWithContent,
  urlAttributes,
  voidTags,
} from './rules.ts';

/** The rules for body HTML as data. */
export interface BodyRules {
  allowed_elements: { name: string; attributes: string[]; void: boolean }[];
  global_attributes: string[];
  boolean_attributes: string[];
  attribute_values: Record<string, string[]>;
  url_attributes: Record<string, { schemes: string[]; relative: true }>;
  removed_with_content: string[];
  refused_ids_and_names: string[];
  refused_rel_words: string[];
  limits: { max_depth: number; max_elements: number; max_url_length: number; max_warnings: number };
  embeds: { what: string; syntax: string; becomes: string }[];
  notes: string[];
}

/**
 * Returns the sanitizer's own tables for the authoring guide (spec: Languages, publishing, sites, webhooks, guide:
 * "machine-readable rules for body HTML, image embedding …").
 */
export function describeBodyRules(): BodyRules {
  return {
    allowed_elements: [...allowedTags].sort().map((name) => ({
      name,
      attributes: [...(attributesByTag[name] ?? [])],
      void: voidTags.includes(name),
    })),
    global_attributes: [...globalAttributes],
    boolean_attributes: [...booleanAttributes],
    attribute_values: copyLists(attributeValues),
    url_attributes: Object.fromEntries(
      Object.entries(urlAttributes).map(([name, schemes]) => [name, { schemes: [...schemes], relative: true }]),
    ),
    removed_with_content: [...tagsRemovedWithContent],
    refused_ids_and_names: [...refusedNames],
    refused_rel_words: [...refusedRelWords],
    limits: {
      max_depth: limits.maxDepth,
      max_elements: limits.maxElements,
      max_url_length: limits.maxUrlLength,
      max_warnings: limits.maxWarnings,
    },
    embeds: [
      {
        what: 'an image of the media library',
        syntax: '<img src="media:{id}" alt="…">',
        becomes: 'a responsive picture element',
      },
      {
        what: 'a component of the site',
        syntax: `<${componentTag} handle="…" vars='{…}'></${componentTag}>`,
        becomes: 'the rendered component; vars is JSON, checked against its variables_schema',
      },
    ],
    notes: [
      'Of an element that is not allowed the tags are removed and the content stays, unless it is listed under removed_with_content.',
      'Inline styles, event handlers, comments, data: and javascript: URLs are always removed.',
      'Everything that was removed or repaired is reported in warnings; a request never fails because of its body.',
      'The stored text is the form that the sanitizer writes: attributes in double quotes, & < > escaped, every element closed.',
    ],
  };
}

function copyLists(lists: Readonly<Record<string, readonly string[]>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(lists).map(([name, values]) => [name, [...values]]));
}
