import { z } from 'zod';
import { type CreateContent, type Prepared, prepareItem } from '../../content/index.ts';
import { type ArticleImages, importArticleImages } from '../images/article-images.ts';
import { applyContent, articleMembers, contentPayload, requiredContent, toContentRequest } from './content-payload.ts';
import { defineMapper, type MapperOutcome, type TrialApplyScope, type TrialPrepareScope } from './mapper.ts';
import { keyOfSource, sourceKey } from './source-key.ts';

const payload = contentPayload.extend({
  id: sourceKey,
  featured_image_url: z.string().max(8192).nullish(),
  ...articleMembers,
});
type Article = z.output<typeof payload>;

/** The article to write, with the results of its images. */
interface PreparedArticle {
  request: Prepared<CreateContent>;
  images: ArticleImages;
}

async function prepareArticle(
  { app, site, images, signal }: TrialPrepareScope,
  article: Article,
): Promise<PreparedArticle> {
  const { title, body_html, featured_image_url } = article;
  const wanted = { site, title, html: body_html, featuredUrl: featured_image_url ?? null };
  const found = await importArticleImages(images, wanted, signal);
  const scope = { app, db: app.db, site, key: site.id };
  return { request: await prepareItem(scope, toRequest(article, found)), images: found };
}

function toRequest(article: Article, images: ArticleImages): CreateContent {
  const { published_at, featured_image_url } = article;
  // `published_at` of a scheduled article is also its scheduled time; otherwise it schedules nothing
  const scheduled_at = article.scheduled_at ?? (article.status === 'scheduled' ? published_at : undefined);
  return {
    ...toContentRequest({ ...article, body_html: images.html, scheduled_at }, 'post'),
    ...(featured_image_url === undefined ? {} : { featured_media_id: images.featuredMediaId }),
  };
}

async function applyArticle(
  scope: TrialApplyScope,
  _article: Article,
  { request, images }: PreparedArticle,
  key: string | null,
): Promise<MapperOutcome> {
  const outcome = await applyContent(scope, key, request);
  const { imported, omitted } = images;
  return { ...outcome, result: { ...outcome.result, images: imported, omitted_images: omitted } };
}

const steps = { prepare: prepareArticle, apply: applyArticle };

/**
 * `{id, title, body_html, slug?, excerpt?, featured_image_url?, author?, seo_title?, seo_description?, status?,
 * published_at?}`: an article keyed on `id`, with its images fetched into the library (spec: Mappers, rule 3).
 */
export const autoseo = defineMapper({
  name: 'autoseo',
  required: requiredContent.extend({ id: sourceKey }),
  payload,
  keyOf: ({ id }, raw) => keyOfSource('id', id, raw),
  ...steps,
  trial: steps,
});
