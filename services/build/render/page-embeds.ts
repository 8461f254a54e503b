import { relativePath } from '../../core/public-paths.ts';
import { notFoundRoot } from '../manifest.ts';
import type { ItemInput } from '../model.ts';
import type { PagePlan } from '../page-plan.ts';
import { type PictureOptions, renderMedia } from '../picture.ts';
import { type MissingKind, reads } from '../reads.ts';
import { splitBody } from './body.ts';
import { missingNote } from './component-markup.ts';
import { MissingBody, type PageLog, type RenderData } from './page-log.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const maxReferenceLength = 200;

/** Returns whether a text can be the id of a media item. */
export const isMediaId = (text: string): boolean => uuid.test(text);

export type PageEmbeds = ReturnType<typeof createPageEmbeds>;

/** Creates the functions that render links, images, components and bodies of a page. */
export function createPageEmbeds(data: RenderData, page: PagePlan, log: PageLog, siteVariable: unknown) {
  const { index } = data;
  let pictures = 0;
  let componentCount = 0;
  /** What is currently being expanded: the body of an item or components, innermost last. */
  const places: string[] = [];

  function within<T>(place: string, work: () => T): T {
    places.push(place);
    try {
      return work();
    } finally {
      places.pop();
    }
  }

  /**
   * Records that the page refers to something the site does not have: the job reports it and a preview shows it.
   * Returns the HTML for its place.
   */
  function noteMissing(kind: MissingKind, reference: string, place = places.at(-1) ?? 'template'): string {
    log.reads.add(reads.missing(place, kind, reference.slice(0, maxReferenceLength)));
    if (page.kind === 'feed') return '';
    // the page differs between preview and live here, so neither reuses it from the other
    log.reads.add(reads.target);
    return data.preview ? missingNote(kind, reference) : '';
  }

  /** Returns the link from this page to a path of the site. The 404 page has no fixed path of its own. */
  function link(path: string): string {
    // a feed is read elsewhere: its URLs are made absolute at the end
    if (page.kind === 'feed') return encodeURI(path);
    return page.kind === 'not_found'
      ? notFoundRoot + encodeURI(path.slice(1))
      : relativePath(page.path, encodeURI(path));
  }

  function picture(id: string, options: PictureOptions): string | null {
    log.reads.add(reads.media(id));
    const media = index.mediaById(id);
    if (!media) return null;
    const lazy = options.lazy ?? pictures > 0;
    pictures++;
    return renderMedia(media, link, { ...options, lazy });
  }

  /** In a body, `vars` is text that may not be JSON. */
  function component(handle: string, vars: string | Record<string, unknown>): string {
    log.reads.add(reads.component(handle));
    componentCount++;
    const use = { handle, vars, place: page.path, site: siteVariable, idPrefix: `c${componentCount}-` };
    const rendered = within(`component ${handle}`, () => data.renderComponent(use));
    if (!rendered) return noteMissing('component', handle);
    log.components.add(handle);
    // the error that a preview shows must never be reused in a live release
    if (rendered.failed) log.reads.add(reads.target);
    return rendered.html;
  }

  function expandImage(id: string, attributes: Record<string, string>): string {
    const { alt, title, width, height, class: className } = attributes;
    const options = {
      ...(alt ? { alt } : {}),
      ...(title ? { title } : {}),
      ...(width ? { width } : {}),
      ...(height ? { height } : {}),
      ...(className ? { class: className } : {}),
    };
    return (isMediaId(id) ? picture(id, options) : null) ?? noteMissing('media', id);
  }

  function bodyOf(item: ItemInput): string {
    log.reads.add(reads.item(item.id));
    const body = data.bodies.get(item.id);
    if (body === undefined) throw new MissingBody(item.id);
    return body;
  }

  return {
    link,
    picture,
    component,
    noteMissing,
    bodyOf,
    /** Returns an item's body with images and components rendered. */
    expandItem(item: ItemInput): string {
      const place = item.id === page.itemId ? 'body' : `body of ${index.pathOf(item)}`;
      return within(place, () =>
        splitBody(bodyOf(item))
          .map((piece) => {
            if (piece.kind === 'html') return piece.html;
            return piece.kind === 'component'
              ? component(piece.handle, piece.vars)
              : expandImage(piece.id, piece.attributes);
          })
          .join(''),
      );
    },
  };
}
