import { useState } from 'react';
import { Field } from '../../../parts/field.tsx';
import type { PanelProps } from './panels.tsx';
import { strings } from './strings.ts';

/** An empty field of an item is null. */
export const orNull = (text: string): string | null => (text === '' ? null : text);

/** Slug, excerpt, tags and author. */
export function DetailsPanel({ values, change }: PanelProps) {
  return (
    <>
      <Field
        label={strings.slug}
        description={strings.slugHint}
        value={values.slug}
        maxLength={2000}
        onChange={(slug) => change({ slug })}
      />
      <Field
        label={strings.excerpt}
        description={strings.excerptHint}
        lines={3}
        maxLength={20_000}
        value={values.excerpt ?? ''}
        onChange={(excerpt) => change({ excerpt: orNull(excerpt) })}
      />
      <TagsField tags={values.tags} onChange={(tags) => change({ tags })} />
      <Field
        label={strings.author}
        maxLength={1000}
        value={values.author ?? ''}
        onChange={(author) => change({ author: orNull(author) })}
      />
    </>
  );
}

/** Tags as one text: a comma at its end is the beginning of the next tag. */
function TagsField({ tags, onChange }: { tags: readonly string[]; onChange: (tags: string[]) => void }) {
  const read = (text: string) => [
    ...new Set(
      text
        .split(',')
        .map((tag) => tag.trim())
        .filter(Boolean),
    ),
  ];
  const [typed, setTyped] = useState(tags.join(', '));
  const isSame = read(typed).join() === tags.join();
  return (
    <Field
      label={strings.tags}
      description={strings.tagsHint}
      value={isSame ? typed : tags.join(', ')}
      onChange={(text) => {
        setTyped(text);
        onChange(read(text));
      }}
    />
  );
}
