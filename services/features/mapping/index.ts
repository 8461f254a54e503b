/** The door of mapping: what other folders use of it. */
export { forecastReplay, type ReplayForecast } from './forecast.ts';
export { createImageImporter } from './images/import-images.ts';
export { createInbox } from './inbox.ts';
