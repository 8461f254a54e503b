import { type KeyboardEvent, type MouseEvent, useState } from 'react';
import { type Media, variantUrl } from '../../app/media.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { strings } from './strings.ts';

export type Point = NonNullable<Media['focal_point']>;

const shownWidth = 960;
const step = 0.05;
const centre: Point = { x: 0.5, y: 0.5 };
const clamp = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 1_000) / 1_000;

const moves: Record<string, Point | undefined> = {
  ArrowLeft: { x: -step, y: 0 },
  ArrowRight: { x: step, y: 0 },
  ArrowUp: { x: 0, y: -step },
  ArrowDown: { x: 0, y: step },
};

/** The image with its focal point, which a click sets and the arrow keys move. */
export function FocalPoint({
  media,
  canWrite,
  onSave,
}: {
  media: Media;
  canWrite: boolean;
  onSave: (point: Point | null) => Promise<void>;
}) {
  const [point, setPoint] = useState<Point>(media.focal_point ?? centre);
  const image = <img src={variantUrl(media, shownWidth)} alt={media.alt ?? ''} />;
  if (!canWrite) return <div className="focal-point">{image}</div>;
  const onClick = (event: MouseEvent<HTMLElement>) => {
    if (event.detail === 0) return; // by keyboard
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    setPoint({ x: clamp((event.clientX - left) / width), y: clamp((event.clientY - top) / height) });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    setPoint({ x: clamp(point.x + move.x), y: clamp(point.y + move.y) });
  };
  return (
    <>
      <button
        type="button"
        className="focal-point"
        aria-label={strings.focalPointLabel}
        onClick={onClick}
        onKeyDown={onKeyDown}
      >
        {image}
        <svg aria-hidden viewBox="0 0 100 100" preserveAspectRatio="none">
          <line x1={point.x * 100} x2={point.x * 100} y1="0" y2="100" />
          <line x1="0" x2="100" y1={point.y * 100} y2={point.y * 100} />
        </svg>
      </button>
      <p role="status">{strings.focalPointValue(point.x, point.y)}</p>
      <div className="buttons">
        <ActionButton run={() => onSave(point)}>{strings.setFocalPoint}</ActionButton>
        {media.focal_point && (
          <ActionButton variant="quiet" run={() => onSave(null)} onDone={() => setPoint(centre)}>
            {strings.clearFocalPoint}
          </ActionButton>
        )}
      </div>
    </>
  );
}
