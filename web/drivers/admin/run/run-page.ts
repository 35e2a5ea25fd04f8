/** The driver's page and the scope of its service worker. */
export const RUN_PAGE = '/admin/run'
