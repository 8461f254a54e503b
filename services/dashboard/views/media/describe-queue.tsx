import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { rest } from '../../app/api.ts';
import { type Media, variantUrl } from '../../app/media.ts';
import { AltFields, type AltText } from '../../parts/alt-fields.tsx';
import { Button } from '../../parts/button.tsx';
import { CallForm } from '../../parts/call-form.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { notify } from '../../parts/notify.ts';
import { Pending } from '../../parts/pending.tsx';
import { strings } from './strings.ts';

const shownWidth = 960;

/** One image after the other that nobody has described: Enter saves the text and shows the next one. `items` is a page of them. */
export function DescribeQueue({
  site,
  items,
  total,
  nextPage,
  onPage,
  onChange,
}: {
  site: string;
  items: readonly Media[];
  /** How many images there are on all pages. */
  total: number;
  /** Undefined on the last page. */
  nextPage: number | undefined;
  /** Reads another page; stays the same function. */
  onPage: (page: number) => void;
  onChange: () => Promise<void>;
}) {
  const [skipped, setSkipped] = useState<readonly string[]>([]);
  // what was saved is in the list until it is read again
  const [done, setDone] = useState<readonly string[]>([]);
  const left = items.filter(({ id }) => !done.includes(id));
  const media = left.find(({ id }) => !skipped.includes(id));
  // until the page is read again without what was saved, its images may be others
  const isStale = left.length < items.length;
  const wanted = media || isStale ? undefined : nextPage;
  useEffect(() => {
    if (wanted !== undefined) onPage(wanted);
  }, [wanted, onPage]);
  if (left.length === 0 && total <= items.length)
    return <EmptyState title={strings.allDescribed} text={strings.allDescribedText} />;
  if (!media && (isStale || wanted !== undefined)) return <Pending />;
  if (!media)
    return (
      <EmptyState title={strings.allSkipped} text={strings.allSkippedText}>
        <Button
          onPress={() => {
            setSkipped([]);
            onPage(1);
          }}
        >
          {strings.startOver}
        </Button>
      </EmptyState>
    );
  return (
    <div className="describe">
      <p role="status">{strings.describeLead(total - (items.length - left.length))}</p>
      <DescribeOne
        key={media.id}
        site={site}
        media={media}
        onSkip={() => setSkipped([...skipped, media.id])}
        onSaved={() => {
          setDone([...done, media.id]);
          notify(strings.described);
          void onChange();
        }}
      />
    </div>
  );
}

function DescribeOne({
  site,
  media,
  onSkip,
  onSaved,
}: {
  site: string;
  media: Media;
  onSkip: () => void;
  onSaved: () => void;
}) {
  const [alt, setAlt] = useState<AltText>({ text: media.alt ?? '', isDecorative: false });
  const { id, filename } = media;
  return (
    <div className="describe-one">
      <div className="describe-image">
        <img src={variantUrl(media, shownWidth)} alt="" />
        <Link to={`/sites/${site}/media/${id}`}>{filename}</Link>
      </div>
      <CallForm
        send={() =>
          rest.PATCH('/sites/{site}/media/{id}', {
            params: { path: { site, id } },
            body: alt.isDecorative ? { decorative: true } : { alt: alt.text },
          })
        }
        onDone={onSaved}
        submit={strings.saveAndNext}
        keepValues
      >
        <AltFields
          value={alt}
          onChange={setAlt}
          {...(media.alt_stand_in ? { description: strings.standIn } : {})}
          isRequired
          autoFocus
          onFocus={(event) => (event.target as HTMLInputElement).select()}
        />
        <div>
          <Button variant="quiet" onPress={onSkip}>
            {strings.skip}
          </Button>
        </div>
      </CallForm>
    </div>
  );
}
