const secret = '/magic-login'
/** Pages that are never reported: sign-in links, the admin area, the simulator. */
const privatePages = [secret, '/admin', '/simulator']

export const isPrivatePath = (path: string) => privatePages.some((page) => path === page || path.startsWith(`${page}/`))

/** Path without ids and query: `/orders/QX7K…` becomes `/orders/-`. */
export function pagePath(href: string): string {
  const [path = '/'] = href.split(/[?#]/)
  return path.replace(/^(\/orders|\/checkout\/success)\/[^/]+/, '$1/-')
}
