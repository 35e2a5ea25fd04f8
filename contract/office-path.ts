/** Apart from the table of pages, which the shop does not load. */
export const isOfficePath = (path: string) => path === '/admin' || path.startsWith('/admin/')
