/** Increase it when the same reads would produce different bytes: every page is then rendered again. */
export const renderVersion = '4';
