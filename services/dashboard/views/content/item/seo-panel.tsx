import { useSite } from '../../../app/sites.ts';
import { Field } from '../../../parts/field.tsx';
import { orNull } from './details-panel.tsx';
import type { PanelProps } from './panels.tsx';
import { strings } from './strings.ts';

/** What search engines show at most, in characters. */
const titleLength = 60;
const descriptionLength = 155;

/** The members for search engines and social networks, with what these show. */
export function SeoPanel({ site, values, change }: PanelProps) {
  const { data: record } = useSite(site);
  const title = values.seo_title ?? values.title;
  const description = values.seo_description ?? values.excerpt ?? '';
  const host = new URL(values.url).host;
  return (
    <>
      <Field
        label={strings.seoTitle}
        description={strings.length(title.length, titleLength)}
        placeholder={values.title}
        maxLength={2000}
        value={values.seo_title ?? ''}
        onChange={(text) => change({ seo_title: orNull(text) })}
      />
      <Field
        label={strings.seoDescription}
        description={strings.length(description.length, descriptionLength)}
        placeholder={values.excerpt ?? ''}
        lines={3}
        maxLength={20_000}
        value={values.seo_description ?? ''}
        onChange={(text) => change({ seo_description: orNull(text) })}
      />
      <Field
        label={strings.canonical}
        description={strings.canonicalHint}
        type="url"
        maxLength={2048}
        value={values.canonical_url ?? ''}
        onChange={(text) => change({ canonical_url: orNull(text) })}
      />
      <figure className="seo-preview">
        <figcaption>{strings.searchPreview}</figcaption>
        <div className="seo-result">
          <small>
            {record?.name} · {host}
          </small>
          <strong>{shorten(title, titleLength)}</strong>
          <p>{shorten(description, descriptionLength)}</p>
        </div>
      </figure>
      <figure className="seo-preview">
        <figcaption>{strings.cardPreview}</figcaption>
        <div className="seo-card">
          <small>{host}</small>
          <strong>{title}</strong>
          <p>{shorten(description, descriptionLength)}</p>
        </div>
      </figure>
    </>
  );
}

const shorten = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length).replace(/\s+\S*$/, '')} …`;
