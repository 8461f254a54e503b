import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { mediaQuery, variantUrl } from '../../../app/media.ts';
import { Button } from '../../../parts/button.tsx';
import { DialogBox } from '../../../parts/dialog-box.tsx';
import { UploadImageForm } from '../editor/upload-image-form.tsx';
import { ImagePicker } from './image-picker.tsx';
import type { PanelProps } from './panels.tsx';
import { strings } from './strings.ts';

const shownWidth = 640;

/** The image as it is cropped, around its focal point, with its alternative text. */
function ChosenImage({ site, id }: { site: string; id: string }) {
  const { data: media, error } = useQuery(mediaQuery(site, id));
  if (error) return <p className="field-description">{strings.featuredMissing}</p>;
  if (!media) return <div className="featured-image" />;
  const { focal_point: point, alt, decorative } = media;
  return (
    <>
      <div className="featured-image">
        <img
          src={variantUrl(media, shownWidth)}
          alt={alt ?? ''}
          style={point ? { objectPosition: `${point.x * 100}% ${point.y * 100}%` } : undefined}
        />
      </div>
      <p className="field-description">{decorative ? strings.noAlt : alt}</p>
      <Link to={`/sites/${site}/media/${id}`}>{strings.editImage}</Link>
    </>
  );
}

/** The main image of an item: chosen from the library, or uploaded. */
export function FeaturedPanel({ site, values, change }: PanelProps) {
  const [dialog, setDialog] = useState<'library' | File>();
  const id = values.featured_media_id;
  const choose = (chosen: string) => {
    change({ featured_media_id: chosen });
    setDialog(undefined);
  };
  return (
    <>
      {id === null ? <p className="field-description">{strings.featuredNone}</p> : <ChosenImage site={site} id={id} />}
      <div className="buttons">
        <Button onPress={() => setDialog('library')}>{strings.chooseImage}</Button>
        <FileTrigger acceptedFileTypes={['image/*']} onSelect={(files) => files?.[0] && setDialog(files[0])}>
          <Button>{strings.uploadImage}</Button>
        </FileTrigger>
        {id !== null && (
          <Button variant="quiet" onPress={() => change({ featured_media_id: null })}>
            {strings.removeImage}
          </Button>
        )}
      </div>
      {dialog === 'library' && (
        <DialogBox title={strings.chooseImage} onClose={() => setDialog(undefined)}>
          <ImagePicker site={site} chosen={id} onChoose={choose} />
        </DialogBox>
      )}
      {dialog instanceof File && (
        <DialogBox title={strings.uploadImage} onClose={() => setDialog(undefined)}>
          <UploadImageForm
            site={site}
            file={dialog}
            submit={strings.useUpload}
            onUploaded={(record) => choose(record.id)}
          />
        </DialogBox>
      )}
    </>
  );
}
