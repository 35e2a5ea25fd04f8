/** Push services of Chrome, Edge, Samsung Internet and Opera; of Firefox; of Windows; of Safari. */
const hosts = [
  /^fcm\.googleapis\.com$/,
  /^(?:[\w-]+\.)*push\.services\.mozilla\.com$/,
  /^[\w-]+\.notify\.windows\.com$/,
  /^(?:[\w-]+\.)*push\.apple\.com$/,
]

/** The configured service's origin, which the operator trusts. */
export const isOwnService = (url: URL, serviceUrl: string | null) =>
  serviceUrl !== null && url.origin === new URL(serviceUrl).origin

/** Whether messages may be sent there: the browser, which anybody can imitate, names the address. */
export function isPushEndpoint(text: string, serviceUrl: string | null): boolean {
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '' || url.hash !== '') return false
  if (isOwnService(url, serviceUrl)) return true
  return url.protocol === 'https:' && url.port === '' && hosts.some((host) => host.test(url.hostname))
}
