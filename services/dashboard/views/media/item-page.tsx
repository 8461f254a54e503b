import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { rest } from '../../app/api.ts';
import { describeBytes } from '../../app/format.ts';
import { libraryKey, type Media, mediaQuery } from '../../app/media.ts';
import { may, useMe } from '../../app/session.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { AltFields, type AltText } from '../../parts/alt-fields.tsx';
import { CallForm } from '../../parts/call-form.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { notify, notifyProblem } from '../../parts/notify.ts';
import { Page, Section } from '../../parts/page.tsx';
import { Sheet } from '../../parts/sheet.tsx';
import { Time } from '../../parts/time.tsx';
import { FocalPoint, type Point } from './focal-point.tsx';
import { pollMs, setTrashed } from './library.ts';
import sheet from './media.css?url';
import { ReplaceButton, undoReplacement } from './replace-button.tsx';
import { strings } from './strings.ts';
import { UsageSection } from './usage-section.tsx';

type Update = { alt: string | null } | { decorative: true } | { focal_point: Point | null };

function Description({ media, onSave }: { media: Media; onSave: (update: Update) => Promise<void> }) {
  const [alt, setAlt] = useState<AltText>({ text: media.alt ?? '', isDecorative: media.decorative });
  return (
    <CallForm
      send={() => onSave(alt.isDecorative ? { decorative: true } : { alt: alt.text || null })}
      onDone={() => notify(strings.saved)}
      submit={strings.save}
      variant="plain"
      keepValues
    >
      <AltFields value={alt} onChange={setAlt} />
    </CallForm>
  );
}

const Variants = ({ variants }: Pick<Media, 'variants'>) =>
  variants.length === 0 ? (
    <p>{strings.noVariants}</p>
  ) : (
    <ul className="rows" aria-label={strings.variants}>
      {variants.map(({ url, format, width, height, bytes }) => (
        <li key={url}>
          <a href={url} target="_blank" rel="noreferrer">
            {strings.variant(format, width, height)}
          </a>
          <small>{describeBytes(bytes)}</small>
        </li>
      ))}
    </ul>
  );

function MediaView({ site, media, refresh }: { site: string; media: Media; refresh: () => Promise<void> }) {
  const navigate = useNavigate();
  const canWrite = may(useMe(), 'media.write', site) !== 'none';
  const { id, filename, kind, width, height } = media;
  const save = async (body: Update) => {
    await rest.PATCH('/sites/{site}/media/{id}', { params: { path: { site, id } }, body });
    await refresh();
  };
  const trash = async () => {
    await setTrashed(site, id, true);
    await navigate({ to: `/sites/${site}/media` });
    await refresh();
    const restore = async () => {
      await setTrashed(site, id, false);
      await refresh();
    };
    notify(strings.trashed(filename), { undo: () => void restore().catch(notifyProblem) });
  };
  return (
    <Page
      title={filename}
      lead={<Link to={`/sites/${site}/media`}>{strings.back}</Link>}
      actions={
        canWrite && (
          <>
            <ReplaceButton site={site} media={media} refresh={refresh} />
            <ActionButton variant="danger" run={trash}>
              {strings.moveToTrash}
            </ActionButton>
          </>
        )
      }
    >
      {kind === 'image' && (
        <Section title={strings.focalPoint} facts={strings.focalPointFact}>
          <FocalPoint
            media={media}
            canWrite={canWrite}
            onSave={async (point) => {
              await save({ focal_point: point });
              notify(strings.focalPointSaved);
            }}
          />
        </Section>
      )}
      {kind === 'image' && canWrite && (
        <Section title={strings.description}>
          {/* another file has another description */}
          <Description key={media.sha256} media={media} onSave={save} />
        </Section>
      )}
      <UsageSection site={site} id={id} />
      <Section title={strings.facts}>
        <Facts
          entries={[
            [strings.type, media.mime_type],
            [strings.size, describeBytes(media.bytes)],
            [strings.dimensions, width !== null && height !== null && `${width} × ${height}`],
            [strings.alt, kind === 'image' && !canWrite && media.alt],
            [strings.previous, media.previous?.filename],
            [strings.source, media.source_url],
            [strings.error, media.error?.message],
            [strings.added, <Time key="added" at={media.created_at} />],
            [
              strings.original,
              <a key="original" href={media.url} target="_blank" rel="noreferrer">
                {media.url}
              </a>,
            ],
            [strings.reference, <code key="reference">{`media:${id}`}</code>],
          ]}
        />
        <CopyButton text={`media:${id}`} />
        {canWrite && media.previous && (
          <ActionButton
            run={async () => {
              await undoReplacement(site, id);
              await refresh();
            }}
            onDone={() => notify(strings.replacementUndone)}
          >
            {strings.bringBack}
          </ActionButton>
        )}
      </Section>
      <Section title={strings.variants}>
        <Variants variants={media.variants} />
      </Section>
    </Page>
  );
}

/** An item of the media library: its description, focal point, facts and variants. */
export default function MediaItemPage() {
  const { site, id } = useParams({ strict: false }) as { site: string; id: string };
  const client = useQueryClient();
  const media = useQuery({
    ...mediaQuery(site, id),
    refetchInterval: ({ state }) => (state.data?.status === 'processing' ? pollMs : false),
  });
  return (
    <>
      <Sheet url={sheet} />
      <Loaded query={media}>
        {(record) => (
          <MediaView
            site={site}
            media={record}
            refresh={() => client.invalidateQueries({ queryKey: libraryKey(site) })}
          />
        )}
      </Loaded>
    </>
  );
}
