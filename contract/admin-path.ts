/** In its own file, because the shop does not load the table of office pages. */
export const isAdminPath = (path: string) => path === '/admin' || path.startsWith('/admin/')
