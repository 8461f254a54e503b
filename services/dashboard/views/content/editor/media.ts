import { mediaQuery, variantUrl } from '../../../app/media.ts';
import { mediaIdOf } from './urls.ts';

const shownWidth = 1200;

/** Returns a URL under which the page can show an image of a body: that of a variant if the image is in the library. */
export async function readImageUrl(site: string, src: string): Promise<string> {
  const id = mediaIdOf(src);
  return id === undefined ? src : variantUrl(await mediaQuery(site, id).queryFn({}), shownWidth);
}
