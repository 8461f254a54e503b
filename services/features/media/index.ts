/** The door of media: what other folders use. */
export { fetchFile, type Imported, type ImportRequest, importMedia } from './import.ts';
export { updateMedia } from './library.ts';
export { type MediaProcessor, openMediaProcessor } from './open-processor.ts';
export { type Ffmpeg, findFfmpeg } from './process/ffmpeg.ts';
export { createImageProcesses, type ImageProcesses } from './process/image-process.ts';
export { selectSitesWithMediaWork, selectTask, selectTasks } from './process/sql.ts';
export { removeStaleWorkFolders } from './process/work-folder.ts';
export { selectMediaBySource } from './sql.ts';
export { openUploadServer } from './uploads/open-server.ts';
export { tusVersion, uploadsPath } from './uploads/protocol.ts';
export { deleteExpiredUploads } from './uploads/sql.ts';
export { uploadKeptMs } from './uploads/store.ts';
