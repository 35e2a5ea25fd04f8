/** A separate file, because the shop does not load the table of admin pages. */
export const isAdminPath = (path: string) => path === '/admin' || path.startsWith('/admin/')
