const secret = '/magic-login'
/** Pages no third party is told of: links that sign in, the admin area, the test phone. */
const privatePages = [secret, '/admin', '/simulator']

export const isPrivatePath = (path: string) => privatePages.some((page) => path === page || path.startsWith(`${page}/`))

/** `/orders/QX7K…` as `/orders/-`: pages are counted, not whose they are. Query strings stay out as well. */
export function pagePath(href: string): string {
  const [path = '/'] = href.split(/[?#]/)
  return path.replace(/^(\/orders|\/checkout\/success)\/[^/]+/, '$1/-')
}
