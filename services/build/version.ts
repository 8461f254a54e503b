/** Raise it when the same reads would give other bytes: every page is rendered anew then. */
export const renderVersion = '4';
