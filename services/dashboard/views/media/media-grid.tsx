import { Link } from '@tanstack/react-router';
import FileIcon from 'lucide-react/icons/file';
import Film from 'lucide-react/icons/film';
import { describeBytes } from '../../app/format.ts';
import { type Media, variantUrl } from '../../app/media.ts';
import { Badge } from '../../parts/badge.tsx';
import { strings } from './strings.ts';

const thumbnailWidth = 320;

function Thumbnail({ media }: { media: Media }) {
  if (media.kind === 'image' && media.status === 'ready')
    return <img src={variantUrl(media, thumbnailWidth)} alt="" loading="lazy" />;
  return (
    <span className="thumbnail-icon">{media.kind === 'video' ? <Film aria-hidden /> : <FileIcon aria-hidden />}</span>
  );
}

/** Items of the library with what identifies them; each leads to its page. */
export const MediaGrid = ({
  site,
  items,
  layout,
}: {
  site: string;
  items: readonly Media[];
  layout: 'grid' | 'list';
}) => (
  <ul className={layout === 'grid' ? 'media-grid' : 'rows media-rows'} aria-label={strings.title}>
    {items.map((media) => (
      <li key={media.id}>
        <Link to={`/sites/${site}/media/${media.id}`}>
          <Thumbnail media={media} />
          <span>
            <strong>{media.filename}</strong>
            <small>{describeBytes(media.bytes)}</small>
            {media.status === 'processing' && <Badge>{strings.processing}</Badge>}
            {media.status === 'failed' && <Badge tone="bad">{strings.failed}</Badge>}
          </span>
        </Link>
      </li>
    ))}
  </ul>
);
