import type { INestApplicationContext } from '@nestjs/common';
import { samplesBy, type Metric } from '../../../platform/metrics/metric.js';
import { PictureProcess } from '../processing/picture-process.service.js';
import { PictureFolder } from '../storage/picture-folder.service.js';

/** How many pictures were made, how long that took, and what the folder of the machine takes. */
export function mediaMetrics(app: INestApplicationContext): Metric[] {
  const { counts } = app.get(PictureProcess);
  const folder = app.get(PictureFolder);
  return [
    {
      name: 'pressroom_pictures_total',
      type: 'counter',
      help: 'Pictures by outcome; made: of an upload; sized: in another size; refused: damaged or too large.',
      read: () => {
        const { made, sized, refused } = counts;
        return samplesBy('outcome', { made, sized, refused });
      },
    },
    {
      name: 'pressroom_picture_processing_seconds_total',
      type: 'counter',
      help: 'Seconds in which the picture process has worked.',
      read: () => [{ value: counts.seconds }],
    },
    {
      name: 'pressroom_picture_cache_bytes',
      type: 'gauge',
      aggregator: 'max',
      help: 'Size of the folder of pictures, as this process has last measured it and has added since.',
      read: () => (folder.bytes === null ? [] : [{ value: folder.bytes }]),
    },
  ];
}
