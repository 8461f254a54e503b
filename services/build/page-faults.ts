import { ContentFault } from './model.ts';
import type { PlannedPage, RenderFault } from './render/protocol.ts';

/** A fault of one page. */
export class PageFault extends ContentFault {
  readonly page: PlannedPage;

  constructor(page: PlannedPage, message: string) {
    super(message);
    this.page = page;
  }
}

function describe({ path, template, line, column, message }: RenderFault): string {
  const at = line > 0 ? `, line ${line}${column > 0 ? `, column ${column}` : ''}` : '';
  const place = template ? `${template}${at}: ` : '';
  return `The page ${path} could not be rendered. ${place}${message}`;
}

/** Collects the faults of pages, of which the build reports the first in the order of the plan. */
export function createFaults(pages: readonly PlannedPage[]) {
  let first: { position: number; page: PlannedPage; fault: RenderFault } | null = null;
  return {
    add(page: PlannedPage, fault: RenderFault): void {
      const position = pages.indexOf(page);
      if (!first || position < first.position) first = { position, page, fault };
    },
    /** Returns the first fault; null if no page has a fault so far. */
    first: (): PageFault | null => (first ? new PageFault(first.page, describe(first.fault)) : null),
    /** Whether one of these pages may have a fault that precedes the first one found so far. */
    mayPrecede(own: readonly PlannedPage[]): boolean {
      if (!first) return true;
      const end = first.position;
      return own.some((page) => pages.indexOf(page) < end);
    },
  };
}
