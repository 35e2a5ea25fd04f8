// The first that is found: most of them carry the names of those below in their own.
const browsers = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser', 'Samsung Internet'],
  ['FxiOS', 'Firefox'],
  ['Firefox/', 'Firefox'],
  ['CriOS', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const systems = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'Mac'],
  ['CrOS', 'Chromebook'],
  ['Linux', 'Linux'],
] as const

/**
 * `Chrome, Windows`; null where neither is known. Of what a browser says about itself nothing is repeated, since whoever
 * sends it writes it.
 */
export function browserName(userAgent: string): string | null {
  const nameIn = (names: readonly (readonly [string, string])[]) =>
    names.find(([mark]) => userAgent.includes(mark))?.[1] ?? null
  const known = [nameIn(browsers), nameIn(systems)].filter((name) => name !== null)
  return known.length > 0 ? known.join(', ') : null
}
