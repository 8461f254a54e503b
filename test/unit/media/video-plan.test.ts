import { describe, expect, test } from '@jest/globals';
import { planWidths } from '../../../services/features/media/process/image-plan.ts';
import { planPoster, planRenditions, readProbe } from '../../../services/features/media/process/video-plan.ts';

const sizes = (width: number, height: number) =>
  planRenditions({ width, height, duration: 1 }).map((size) => `${size.width}x${size.height}`);

describe('planRenditions', () => {
  test('never enlarges, and keeps sizes even', () => {
    expect(sizes(3840, 2160)).toEqual(['854x480', '1280x720', '1920x1080']);
    expect(sizes(1280, 720)).toEqual(['854x480', '1280x720']);
    expect(sizes(1280, 700)).toEqual(['878x480']);
    expect(sizes(321, 241)).toEqual(['320x240']);
    expect(sizes(1, 1)).toEqual(['2x2']);
  });

  test('counts the short side of a portrait video', () => {
    expect(sizes(1080, 1920)).toEqual(['480x854', '720x1280', '1080x1920']);
  });
});

test('planPoster is at most 1280 wide', () => {
  expect(planPoster({ width: 3840, height: 2160, duration: 1 })).toEqual({ width: 1280, height: 720 });
  expect(planPoster({ width: 640, height: 480, duration: 1 })).toEqual({ width: 640, height: 480 });
});

test('planWidths has the own width of an image, or the widest', () => {
  expect(planWidths(100)).toEqual([100]);
  expect(planWidths(640)).toEqual([320, 640]);
  expect(planWidths(700)).toEqual([320, 640, 700]);
  expect(planWidths(5000)).toEqual([320, 640, 960, 1280, 1920, 2560]);
});

describe('readProbe', () => {
  const probe = (stream: object, format: object = {}) => readProbe(JSON.stringify({ streams: [stream], format }));
  const video = { codec_type: 'video', width: 640, height: 360 };

  test('reads size and duration, turned where the video says so', () => {
    expect(probe(video, { duration: '2.5' })).toEqual({ width: 640, height: 360, duration: 2.5 });
    expect(probe({ ...video, side_data_list: [{ rotation: -90 }] })).toEqual({
      width: 360,
      height: 640,
      duration: null,
    });
    expect(probe({ ...video, tags: { rotate: '270' } })?.width).toBe(360);
  });

  test('is null for sound alone and for a cover picture', () => {
    expect(probe({ codec_type: 'audio' })).toBeNull();
    expect(probe({ ...video, disposition: { attached_pic: 1 } })).toBeNull();
  });
});
